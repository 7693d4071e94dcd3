// Runs texts and tags, as the methods Execute of pongo2's files tags_*.go do.
#include "jinja/pongo2/machine.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "jinja/pongo2/filters.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {

Machine::Machine(Library& library, Host* host)
    : Runtime(library.options()),
      library_(library),
      host_(host),
      slots_(library.slots()),
      states_(heap) {}

Expected<std::string> Machine::render(Dict& context) {
  if (!runDocument(library_.main(), context) || !isWithinBudget()) return std::move(*error_);
  return out_.take();
}

void Machine::locateError() {
  if (document_ != nullptr) document_->source->locate(*error_, offset_);
}

bool Machine::enter() {
  if (nesting_ < kMaxNesting) return ++nesting_ > 0;
  return !limitFailure(Limit::kCallDepth).failed();
}

bool Machine::write(std::string_view text) {
  const bool fits = out_.size() + text.size() <= budget.limits().output;
  if (!fits) budget.exceed(Limit::kOutput);
  if (!fits || !budget.spend(text.size() / 64)) return !limitFailure().failed();
  out_.append(text);
  return true;
}

bool Machine::print(Value value) {
  const Value text = value.failed() ? value : textOf(*this, value);
  return !text.failed() && write(text.text());
}

Machine::State& Machine::stateOf(const Node& tag) {
  while (states_.size() <= tag.slot) states_.add({});
  return states_[tag.slot];
}

Scope* Machine::childOf(const Scope& scope) {
  Scope* child = heap.make<Scope>(scope);
  child->names = makeDict();
  for (const Dict::Entry& entry : scope.names->entries()) child->names->set(entry.key, entry.value);
  budget.spend(scope.names->size());
  return child;
}

// A context has only names, and none that an exported macro has.
bool Machine::allowed(const Document& document, Dict& context) {
  for (const Dict::Entry& entry : context.entries()) {
    const std::string_view key = entry.key.text();
    const bool isName = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
      return ascii::isAlnum(c) || c == '_';
    });
    if (!isName) {
      fail("context-key '{}' is not a valid identifier", key);
      return false;
    }
    for (const Node* macro = document.macros; macro != nullptr; macro = macro->link) {
      if (macro->value.text() != key) continue;
      fail("context key name '{}' clashes with a macro", key);
      return false;
    }
  }
  return true;
}

// Runs the outermost template that `document` extends.
bool Machine::runDocument(const Document& document, Dict& context) {
  const Document* outermost = &document;
  while (outermost->parent != nullptr) outermost = outermost->parent;
  const auto outer = std::make_pair(scope_, document_);
  document_ = outermost;
  Dict* names = makeDict();
  Dict* about = makeDict();
  about->set("version", string("6.0.0"));
  names->set("pongo2", Value(*heap.make<Namespace>(about)));
  scope_ = heap.make<Scope>(outermost, &context, names);
  if (!allowed(document, context) || !run(outermost->body)) return false;
  std::tie(scope_, document_) = outer;
  return true;
}

Value Machine::capture(const Node* body) {
  const size_t mark = out_.size();
  if (!run(body)) return Value::failure();
  const Value text = newString(out_.from(mark));
  out_.shrink(mark);
  return text;
}

bool Machine::run(const Node* body) {
  if (!enter()) return false;
  bool ok = true;
  for (; ok && body != nullptr; body = body->next) {
    offset_ = body->offset;
    ok = budget.spend() ? runNode(*body) : !limitFailure().failed();
  }
  --nesting_;
  return ok;
}

bool Machine::runNode(const Node& node) {
  switch (node.kind) {
    case NodeKind::kText:
      return write(node.value.text());
    case NodeKind::kPrint:
      return runPrint(node);
    case NodeKind::kIf:
      return runIf(node);
    case NodeKind::kFor:
      return runFor(node);
    case NodeKind::kSet:
      return set(node, evaluate(node.first));
    case NodeKind::kWith:
      return runWith(node);
    case NodeKind::kMacro:
      return set(node, *heap.make<MacroValue>(node, scope_, node.document));
    case NodeKind::kImport:
      for (const Node* macro = node.first; macro != nullptr; macro = macro->next) {
        set(*macro, *heap.make<MacroValue>(*macro->link, scope_, macro->link->document));
      }
      return true;
    case NodeKind::kBlock:
      return runBlock(node);
    case NodeKind::kInclude:
      return runInclude(node);
    default:
      return runTag(node);
  }
}

[[gnu::noinline]] bool Machine::runTag(const Node& node) {
  switch (node.kind) {
    case NodeKind::kAutoescape: {
      const bool outer = std::exchange(scope_->autoescape, (node.flags & kOn) != 0);
      const bool ok = run(node.second);
      scope_->autoescape = outer;
      return ok;
    }
    case NodeKind::kFilterTag: {
      const Value text = capture(node.second);
      return print(text.failed() ? text : filtered(text, node.first));
    }
    case NodeKind::kSpaceless:
      return runSpaceless(node);
    case NodeKind::kCycle:
      return runCycle(node);
    case NodeKind::kFirstof:
      return runFirstof(node);
    case NodeKind::kIfchanged:
      return runIfchanged(node);
    case NodeKind::kIfequal:
      return runIfequal(node);
    case NodeKind::kNow:
      return runNow(node);
    case NodeKind::kWidthratio:
      return runWidthratio(node);
    default:
      return print(lorem(*this, node.op, node.value.asInteger()));
  }
}

bool Machine::runPrint(const Node& node) {
  Value value = evaluate(node.first);
  const bool safe = (node.first->flags & kSafe) != 0 || value.isSafe();
  if (value.isString() && !safe && scope_->autoescape) value = escape(*this, value.text());
  return print(value);
}

bool Machine::runIf(const Node& node) {
  for (const Node* branch = node.first; branch != nullptr; branch = branch->next) {
    if (branch->first == nullptr) return run(branch->second);
    const Value condition = evaluate(branch->first);
    if (condition.failed()) return false;
    if (isTrue(condition)) return run(branch->second);
  }
  return true;
}

bool Machine::set(const Node& node, Value value) {
  if (value.failed()) return false;
  scope_->names->set(node.value, value);
  return true;
}

bool Machine::runWith(const Node& node) {
  Scope* outer = scope_;
  Scope* inner = childOf(*outer);
  for (const Node* pair = node.first; pair != nullptr; pair = pair->next) {
    const Value value = evaluate(pair->first);
    if (value.failed()) return false;
    inner->names->set(pair->value, value);
  }
  scope_ = inner;
  const bool ok = run(node.second);
  scope_ = outer;
  return ok;
}

// The last definition of a block, in the innermost child, runs; the others are for block.Super.
bool Machine::runBlock(const Node& node) {
  size_t count = 0;
  for (const Document* at = scope_->document; at != nullptr; at = at->child) {
    count += findNamed(at->blocks, node.value.text()) == nullptr ? 0 : 1;
  }
  // Of a macro that another template imports.
  if (count == 0)
    return !fail("the block '{}' is not in this template", node.value.text()).failed();
  return runLevel(node.value.text(), count - 1);
}

bool Machine::runLevel(std::string_view name, size_t level) {
  const Document* outer = document_;
  const Node* block = nullptr;
  size_t below = level;
  for (const Document* at = scope_->document; block == nullptr; at = at->child) {
    const Node* found = findNamed(at->blocks, name);
    if (found == nullptr || below-- > 0) continue;
    block = found;
    document_ = at;
  }
  scope_->names->set("block", *heap.make<BlockInfo>(name, level, scope_));
  const bool ok = run(block->second);
  if (ok) document_ = outer;
  return ok;
}

[[gnu::noinline]] bool Machine::runInclude(const Node& node) {
  Dict* context = makeDict();
  if ((node.flags & kOnly) == 0) {
    for (Dict* from : {scope_->context, scope_->names}) {
      for (const Dict::Entry& entry : from->entries()) context->set(entry.key, entry.value);
      budget.spend(from->size());
    }
  }
  for (const Node* pair = node.third; pair != nullptr; pair = pair->next) {
    const Value value = evaluate(pair->first);
    if (value.failed()) return false;
    context->set(pair->value, value);
  }
  const Document* document = node.document;
  if (document == nullptr) {
    const Value name = evaluate(node.first);
    const Value text = name.failed() ? name : textOf(*this, name);
    if (text.failed()) return false;
    const Source* source = library_.find(text.text());
    if (source == nullptr && (node.flags & kIfExists) != 0 && !text.text().empty()) return true;
    if (source == nullptr) return !fail(ErrorKind::kNotFound, "{}", text.text()).failed();
    Reading reading(library_, heap, budget);
    reading.slots = slots_;
    document = Library::parse(*source, reading);
    slots_ = reading.slots;
    if (document == nullptr) {
      if ((node.flags & kIfExists) != 0 && reading.error->kind == ErrorKind::kNotFound) return true;
      error_ = std::move(reading.error);
      return false;
    }
  }
  if (++includeDepth_ > budget.limits().includeDepth) {
    return !limitFailure(Limit::kIncludeDepth).failed();
  }
  const bool ok = runDocument(*document, *context);
  --includeDepth_;
  return ok;
}

bool Machine::runSpaceless(const Node& node) {
  const Value text = capture(node.second);
  return !text.failed() && print(spaceless(*this, text.text()));
}

[[gnu::noinline]] bool Machine::runCycle(const Node& node) {
  const Node* tag = &node;
  Value value;
  CycleValue* known = nullptr;
  for (int i = 0; i < 2; ++i) {
    size_t count = 0;
    for (const Node* item = tag->first; item != nullptr; item = item->next) ++count;
    if (count == 0) return !fail("integer divide by zero").failed();
    size_t index = stateOf(*tag).index++ % count;
    const Node* item = tag->first;
    while (index-- > 0) item = item->next;
    value = evaluate(item);
    if (value.failed()) return false;
    // The name of another cycle advances that one.
    if (i > 0 || !isObject(value, ObjectKind::kCycler)) break;
    known = &static_cast<CycleValue&>(value.asObject());
    tag = &known->node;
  }
  if (known != nullptr) {
    known->value = value;
  } else if (!tag->value.isAbsent()) {
    set(*tag, *heap.make<CycleValue>(*tag, value));
  }
  return (tag->flags & kSilent) != 0 || print(value);
}

bool Machine::runFirstof(const Node& node) {
  for (const Node* item = node.first; item != nullptr; item = item->next) {
    Value value = evaluate(item);
    if (value.failed()) return false;
    if (!isTrue(value)) continue;
    if (scope_->autoescape && (item->flags & kSafe) == 0) {
      value = textOf(*this, value);
      if (!value.failed()) value = escape(*this, value.text());
    }
    return print(value);
  }
  return true;
}

[[gnu::noinline]] bool Machine::runIfchanged(const Node& node) {
  if (node.first == nullptr) {
    const Value text = capture(node.second);
    if (text.failed()) return false;
    State& state = stateOf(node);
    const bool same = (state.last.isAbsent() ? "" : state.last.text()) == text.text();
    state.last = text;
    return same || print(text);
  }
  List* values = makeList();
  for (const Node* item = node.first; item != nullptr; item = item->next) {
    const Value value = evaluate(item);
    if (value.failed()) return false;
    values->append(value);
  }
  State& state = stateOf(node);
  const Value last = std::exchange(state.last, Value(*values));
  bool changed = last.isAbsent();
  for (size_t i = 0; !changed && i < values->size(); ++i) {
    const Tristate same = isEqual(*this, last.asList().items()[i], values->items()[i]);
    if (same == Tristate::kFailed) return false;
    changed = same == Tristate::kNo;
  }
  if (changed) return run(node.second);
  if ((node.flags & kElse) != 0) return run(node.third);
  return !fail("ifchanged has no else").failed();
}

bool Machine::runIfequal(const Node& node) {
  const Value left = evaluate(node.first);
  const Value right = left.failed() ? left : evaluate(node.first->next);
  if (right.failed()) return false;
  const Tristate same = isEqual(*this, left, right);
  if (same == Tristate::kFailed) return false;
  const bool negated = (node.flags & kNot) != 0;
  return run((same == Tristate::kYes) == negated ? node.third : node.second);
}

bool Machine::runNow(const Node& node) {
  return print(formatLayout(*this, node.value.text(),
                            (node.flags & kFake) != 0 ? "2014-02-05T18:31:45Z" : now));
}

[[gnu::noinline]] bool Machine::runWidthratio(const Node& node) {
  double numbers[3] = {0, 0, 0};
  const Node* item = node.first;
  for (double& number : numbers) {
    const Value value = evaluate(item);
    if (value.failed() || !canRead(value)) return false;
    number = floatOf(value);
    item = item->next;
  }
  const Value ratio = integer(toInteger(std::ceil(numbers[0] / numbers[1] * numbers[2] + 0.5)));
  return node.value.isAbsent() ? print(ratio) : set(node, ratio);
}

}  // namespace strata::jinja::pongo2
