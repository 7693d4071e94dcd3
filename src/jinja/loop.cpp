#include "jinja/loop.h"

#include <array>
#include <utility>

#include "jinja/interpreter.h"

namespace strata::jinja {
namespace {

Loop& receiver(Call& call) { return static_cast<Loop&>(call[0].asObject()); }

Value cycle(Call& call) {
  if (call.rest().empty()) return call.runtime.fail("no items for cycling given");
  return call.rest()[static_cast<size_t>(receiver(call).index) % call.rest().size()];
}

// loop.changed(): returns whether the values differ from those of the previous call.
Value changed(Call& call) {
  Loop& loop = receiver(call);
  const Value values = call.runtime.newTuple(call.rest());
  if (values.failed()) return values;
  if (!loop.lastChanged.isAbsent()) {
    const Tristate same = equal(call.runtime, loop.lastChanged, values);
    if (same == Tristate::kFailed) return Value::failure();
    if (same == Tristate::kYes) return Value::boolean(false);
  }
  loop.lastChanged = values;
  return Value::boolean(true);
}

constexpr std::array<Builtin, 2> kMethods = {
    {{"changed self *value", changed}, {"cycle self *args", cycle}}};

}  // namespace

Loop::Loop(Interpreter& interpreter, const ForNode& loop, Value items, int64_t level)
    : Object{ObjectKind::kLoop},
      node(loop),
      depth(level),
      interpreter_(interpreter),
      iterable_(items),
      each_(interpreter, items),
      frame_(interpreter.frame_),
      activation_(interpreter.activation_),
      failed_(each_.failed()) {}

bool Loop::passesTest(Value item) {
  Interpreter& run = interpreter_;
  const Interpreter::CallState state = run.saveState();
  run.frame_ = frame_;
  run.activation_ = activation_;
  run.anchor_ = run.step_ = node.test->anchor;
  run.enterScope(node.testScope);
  bool yes = false;
  if (run.assign(node.testTarget, item)) {
    const Value value = run.evaluate(node.test);
    const Tristate condition = value.failed() ? Tristate::kFailed : truth(run, value);
    failed_ = condition == Tristate::kFailed;
    yes = condition == Tristate::kYes;
  } else {
    failed_ = true;
  }
  run.restoreState(state);
  return yes;
}

bool Loop::fetch(Value& item) {
  while (!failed_ && each_.next(item)) {
    if (node.test == nullptr || passesTest(item)) return true;
  }
  failed_ = failed_ || each_.failed();
  return false;
}

bool Loop::next(Value& item) {
  if (lookahead_ != nullptr && lookaheadIndex_ < lookahead_->size()) {
    item = lookahead_->items()[lookaheadIndex_++];
  } else if (!fetch(item)) {
    return false;
  }
  ++index;
  previous_ = current_;
  current_ = item;
  return true;
}

bool Loop::peek() {
  if (lookahead_ != nullptr && lookaheadIndex_ < lookahead_->size()) return true;
  Value item;
  if (!fetch(item)) return false;
  if (lookahead_ == nullptr) lookahead_ = interpreter_.makeList();
  lookahead_->clear();
  lookaheadIndex_ = 0;
  lookahead_->append(item);
  return true;
}

int64_t Loop::length() {
  if (node.test == nullptr && !iterable_.is(Type::kIterator)) {
    const Value count = jinja::length(interpreter_, iterable_);
    return count.failed() ? -1 : count.asInteger();
  }
  if (lookahead_ == nullptr) lookahead_ = interpreter_.makeList();
  for (Value item; fetch(item);) {
    if (!interpreter_.push(*lookahead_, item)) {
      interpreter_.limitFailure();
      failed_ = true;
    }
  }
  return failed_ ? -1 : index + 1 + static_cast<int64_t>(lookahead_->size() - lookaheadIndex_);
}

Value Loop::lengthMinus(int64_t amount) {
  const int64_t all = length();
  return all < 0 ? Value::failure() : interpreter_.integer(all - amount);
}

Value Loop::attribute(std::string_view name) {
  if (name == "index") return interpreter_.integer(index + 1);
  if (name == "index0") return interpreter_.integer(index);
  if (name == "first") return Value::boolean(index == 0);
  if (name == "last" || name == "nextitem") {
    const bool more = peek();
    if (failed_) return Value::failure();
    if (name == "last") return Value::boolean(!more);
    return more ? lookahead_->items()[lookaheadIndex_] : missing("there is no next item");
  }
  if (name == "previtem") return index == 0 ? missing("there is no previous item") : previous_;
  if (name == "length") return lengthMinus(0);
  if (name == "revindex") return lengthMinus(index);
  if (name == "revindex0") return lengthMinus(index + 1);
  if (name == "depth") return interpreter_.integer(depth + 1);
  if (name == "depth0") return interpreter_.integer(depth);
  const Builtin* method = findIn(kMethods, name);
  if (method == nullptr) return Value::absent();
  return Value(*interpreter_.heap.make<Function>(*method, Value(*this)));
}

Value Loop::missing(std::string_view hint) { return interpreter_.undefinedFor(hint); }

Frame* Loop::outerFrame() const { return frame_->outer; }

Flow Interpreter::runFor(const ForNode& node) {
  const Value items = evaluate(node.iterable);
  if (items.failed()) return Flow::kFailed;
  // Jinja2 iterates inside the function that evaluates the test.
  anchor_ = step_ = node.test != nullptr ? node.test->anchor : node.offset;
  if (node.recursive) {
    const bool ok = print(runRecursive(node, frame_, items, 0, true));
    return ok ? Flow::kNext : Flow::kFailed;
  }
  if (node.usesLoop) return runLoop(*heap.make<Loop>(*this, node, items, 0));
  Loop loop(*this, node, items, 0);
  return runLoop(loop);
}

// Runs the body of a recursive loop as a function, which `loop(items)` calls.
Value Interpreter::runRecursive(const ForNode& node, Frame* outer, Value items, int64_t depth,
                                bool direct) {
  if (!enterCall()) return Value::failure();
  const CallState caller = saveState();
  const ValueStack::Mark mark = stack_.mark();
  const size_t begin = out_.size();
  frame_ = newFrame(node.function, outer);
  anchor_ = step_ = node.test != nullptr ? node.test->anchor : node.offset;
  bool ok = runLoop(*heap.make<Loop>(*this, node, items, depth)) != Flow::kFailed;
  anchor_ = step_ = node.function.end;
  ok = ok && checkJoined(begin);
  restoreState(caller);
  stack_.release(mark);
  --callDepth_;
  return ok ? capture(begin, direct) : Value::failure();
}

Flow Interpreter::runLoop(Loop& loop) {
  const ForNode& node = loop.node;
  bool completed = false;
  Value item;
  for (;;) {
    anchor_ = step_ = node.offset;
    if (!loop.next(item)) break;
    const Flow flow = runIteration(node, loop, item);
    if (flow == Flow::kFailed) return flow;
    if (flow == Flow::kBreak) break;
    completed = completed || flow == Flow::kNext;
  }
  if (loop.failed()) return Flow::kFailed;
  // As in Jinja2, the else branch runs if no iteration reached the end of the body.
  if (completed || node.otherwise.first == nullptr) return Flow::kNext;
  enterScope(node.otherwiseScope);
  return run(node.otherwise);
}

Flow Interpreter::runIteration(const ForNode& node, Loop& loop, Value item) {
  if (!assign(node.target, item)) return Flow::kFailed;
  if (node.usesLoop) frame_->slots[node.loopSlot] = Value(loop);
  enterScope(node.bodyScope);
  return run(node.body);
}

}  // namespace strata::jinja
