// Runs loops, as pongo2's tags_for.go and Value.IterateOrder() do.
#include "jinja/pongo2/filters.h"
#include "jinja/pongo2/machine.h"

namespace strata::jinja::pongo2 {
void LoopInfo::advance(int64_t index, int64_t count) {
  counter.integer = index + 1;
  counter0.integer = index;
  revcounter.integer = count - index;
  revcounter0.integer = count - index - 1;
  if (index == 1) first.size = 0;
  if (index + 1 == count) last.size = 1;
}

bool Machine::runFor(const Node& node) {
  Scope* outer = scope_;
  scope_ = childOf(*outer);
  LoopInfo* info = heap.make<LoopInfo>();
  if (const Value* parent = scope_->names->find("forloop")) {
    if (!isObject(*parent, ObjectKind::kLoop)) return !fail("'forloop' is not a loop").failed();
    info->parent = *parent;
  }
  scope_->names->set("forloop", *info);
  const Value items = evaluate(node.first);
  const bool ok = !items.failed() && runItems(node, items, *info);
  scope_ = outer;
  return ok;
}

// Returns the keys of a map, the items of a list or the characters of a string.
List* Machine::itemsOf(Value value) {
  List* items = makeList();
  const auto size = static_cast<uint64_t>(lengthOf(value));
  if (!budget.collection(size)) return nullptr;
  items->reserve(static_cast<size_t>(size));
  if (Dict* entries = entriesOf(value)) return sortedKeys(*this, *entries);
  if (value.isSequence()) {
    for (const Value item : value.asList().items()) items->append(item);
  } else if (value.isString()) {
    Iteration each(*this, value);
    for (Value item; each.next(item);) items->append(item);
  }
  return items;
}

bool Machine::runItems(const Node& node, Value value, LoopInfo& info) {
  List* list = itemsOf(value);
  if (list == nullptr) return !limitFailure().failed();
  const std::span<Value> items = list->items();
  const bool sorted = (node.flags & kSorted) != 0;
  Dict* entries = entriesOf(value);
  const bool isMap = entries != nullptr;
  if (value.isString() && sorted) return !fail("a string cannot be sorted").failed();
  // Go's order of a []interface{} compares the name of a type with itself, so it stays as it is.
  if (sorted && value.is(Type::kTuple)) sortTexts(*this, items);
  const bool back =
      (node.flags & kReversed) != 0 && (sorted ? isMap || value.is(Type::kTuple) : !isMap);
  const auto count = static_cast<int64_t>(items.size());
  for (int64_t i = 0; i < count; ++i) {
    const Value item = items[static_cast<size_t>(back ? count - 1 - i : i)];
    // A reversed string counts backward.
    info.advance(back && value.isString() ? count - 1 - i : i, count);
    scope_->names->set(node.value, item);
    // Without a name for the value, the name is empty, which an include refuses.
    if (isMap) {
      scope_->names->set(node.other.isAbsent() ? Value::emptyString() : node.other,
                         *entries->find(item.text()));
    }
    if (!run(node.second)) return false;
  }
  return count > 0 || run(node.third);
}

}  // namespace strata::jinja::pongo2
