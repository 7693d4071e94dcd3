// Calls functions, methods, macros and the host.
#include <algorithm>

#include "jinja/interpreter.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {

Value Interpreter::callValue(Value callee, const Arguments& arguments, bool direct) {
  if (callee.is(Type::kObject)) return callObject(callee.asObject(), arguments, direct);
  if (callee.isUndefined()) return undefinedFailure(callee);
  return fail("'{}' object is not callable", callee);
}

bool Interpreter::expectNoArguments(const Object& object, const Arguments& arguments) {
  if (arguments.positional.empty() && arguments.named.empty()) return true;
  fail("{}.__call__() takes no arguments", typeNameOf(object));
  return false;
}

Value Interpreter::callObject(Object& object, const Arguments& arguments, bool direct) {
  switch (object.kind) {
    case ObjectKind::kFunction: {
      auto& function = static_cast<Function&>(object);
      return invoke(*this, function.builtin, function.receiver, arguments);
    }
    case ObjectKind::kMacro:
      return callMacro(static_cast<Macro&>(object), arguments, direct);
    case ObjectKind::kHost:
      return callHost(HostKind::kFunction, static_cast<HostFunction&>(object).index, nullptr,
                      arguments);
    case ObjectKind::kJoiner: {
      if (!expectNoArguments(object, arguments)) return Value::failure();
      auto& joiner = static_cast<Joiner&>(object);
      const bool used = std::exchange(joiner.used, true);
      return used ? joiner.separator : Value::emptyString();
    }
    case ObjectKind::kBlock:
      if (!expectNoArguments(object, arguments)) return Value::failure();
      return callBlock(static_cast<BlockReference&>(object), direct);
    case ObjectKind::kLoop: {
      auto& loop = static_cast<Loop&>(object);
      if (!loop.node.recursive) {
        return fail("The loop must have the 'recursive' marker to be called recursively.");
      }
      if (arguments.positional.size() != 1) return fail("loop() takes one argument");
      return runRecursive(loop.node, loop.outerFrame(), arguments.positional[0], loop.depth + 1,
                          direct);
    }
    default:
      return fail("'{}' object is not callable", typeNameOf(object));
  }
}

Value Interpreter::callFilter(const Builtin* builtin, int32_t hostIndex, std::string_view name,
                              Value value, const Arguments& arguments) {
  if (hostIndex >= 0) {
    return callHost(HostKind::kFilter, static_cast<size_t>(hostIndex), &value, arguments);
  }
  if (builtin == nullptr) return fail("No filter named '{}' found.", name);
  return invoke(*this, *builtin, value, arguments);
}

// A frame that no inner function refers to lives on the value stack.
Frame* Interpreter::newFrame(const FunctionInfo& function, Frame* outer) {
  Value* slots = nullptr;
  if (function.captured) {
    slots = heap.array<Value>(function.slots);
    std::fill(slots, slots + function.slots, Value::absent());
  } else {
    slots = stack_.take(function.slots);
  }
  return heap.make<Frame>(outer, slots);
}

Value Interpreter::callMacro(const Macro& macro, const Arguments& arguments, bool direct) {
  if (!enterCall()) return Value::failure();
  const CallState caller = saveState();
  const ValueStack::Mark mark = stack_.mark();
  const size_t begin = out_.size();
  const MacroNode& node = macro.node;
  Frame* frame = newFrame(node.function, macro.outer);
  bool ok = bindMacro(node, arguments, *frame);
  if (ok) {
    frame_ = frame;
    activation_ = macro.activation;
    anchor_ = step_ = node.offset;
    autoescape = macro.autoescape;
    enterScope(node.scope);
    ok = setDefaults(node) && run(node.body) != Flow::kFailed;
    anchor_ = step_ = node.function.end;
    ok = ok && checkJoined(begin);
  }
  restoreState(caller);
  stack_.release(mark);
  --callDepth_;
  return ok ? capture(begin, direct) : Value::failure();
}

// Fills the slots of the parameters, and of varargs, kwargs and caller if the body uses them.
bool Interpreter::bindMacro(const MacroNode& node, const Arguments& arguments, Frame& frame) {
  const size_t count = std::min(arguments.positional.size(), node.parameters.size());
  for (size_t i = 0; i < count; ++i) {
    frame.slots[node.parameters[i].slot] = arguments.positional[i];
  }
  if ((node.uses & kUsesCaller) != 0) {
    frame.slots[node.callerSlot] = undefinedFor("No caller defined");
  }
  if (!bindNamed(node, arguments, frame)) return false;
  const auto rest = arguments.positional.subspan(count);
  if ((node.uses & kUsesVarargs) != 0) {
    const Value tuple = newTuple(rest);
    frame.slots[node.varargsSlot] = tuple;
    return !tuple.failed();
  }
  if (rest.empty()) return true;
  const std::string_view name = node.name == nullptr ? "caller" : node.name->text;
  fail(ErrorKind::kRuntime, "macro '{}' takes not more than {} argument(s)", name,
       std::to_string(node.parameters.size()));
  return false;
}

bool Interpreter::bindNamed(const MacroNode& node, const Arguments& arguments, Frame& frame) {
  Dict* extra = makeDict();
  for (const NamedValue& named : arguments.named) {
    size_t at = std::min(arguments.positional.size(), node.parameters.size());
    while (at < node.parameters.size() && node.parameters[at].name->text != named.name) ++at;
    if (at < node.parameters.size()) {
      frame.slots[node.parameters[at].slot] = named.value;
    } else if ((node.uses & kUsesCaller) != 0 && named.name == "caller") {
      if (!named.value.isNone()) frame.slots[node.callerSlot] = named.value;
    } else if (!setItem(*this, *extra, string(named.name), named.value)) {
      return false;
    }
  }
  if ((node.uses & kUsesKwargs) != 0) {
    frame.slots[node.kwargsSlot] = Value(*extra);
    return true;
  }
  if (extra->size() == 0) return true;
  const std::string_view name = node.name == nullptr ? "caller" : node.name->text;
  if (extra->find("caller") != nullptr) {
    fail(
        "macro '{}' was invoked with two values for the special caller argument. This is most "
        "likely a bug.",
        name);
  } else {
    fail(ErrorKind::kRuntime, "macro '{}' takes no keyword argument '{}'", name,
         extra->entries()[0].key.text());
  }
  return false;
}

bool Interpreter::setDefaults(const MacroNode& node) {
  for (const Parameter& parameter : node.parameters) {
    if (!frame_->slots[parameter.slot].isAbsent()) continue;
    Value value;
    if (parameter.defaultValue != nullptr) {
      value = evaluate(parameter.defaultValue);
      if (value.failed()) return false;
    } else {
      Text hint(*this);
      hint.append("parameter '").append(parameter.name->text).append("' was not provided");
      value = undefinedFor(hint.take().text(), {}, string(parameter.name->text));
    }
    frame_->slots[parameter.slot] = value;
  }
  return true;
}

}  // namespace strata::jinja
