// Implements filters that compare items: sort, dictsort, groupby, unique, min and max.
#include "jinja/filters/attribute.h"
#include "jinja/filters/sorting.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"

namespace strata::jinja {
namespace {

// Returns the items of `list` sorted by `keys`, or null after a failure.
List* sortItems(Runtime& runtime, List& list, List* keys, Less less, bool reverse, size_t width) {
  if (keys == nullptr) return nullptr;
  const uint32_t* positions = sortedPositions(runtime, keys->items(), less, reverse, width);
  if (positions == nullptr) return nullptr;
  List* out = runtime.makeList();
  out->reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) out->append(list.items()[positions[i]]);
  return out;
}

Value listOrFailure(List* list) { return list == nullptr ? Value::failure() : Value(*list); }

Value sort(Call& call) {
  Runtime& runtime = call.runtime;
  int64_t reverse = 0;
  bool caseSensitive = false;
  if (!call.integer(1, reverse) || !call.truth(2, caseSensitive)) return Value::failure();
  List* list = toList(runtime, call[0]);
  if (list == nullptr) return Value::failure();
  size_t width = 1;
  List* keys = attributesOf(runtime, *list, {call[3], !caseSensitive}, &width);
  return listOrFailure(sortItems(runtime, *list, keys, isLessItem, reverse != 0, width));
}

Value dictsort(Call& call) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  int64_t reverse = 0;
  std::string_view by = "key";
  if (!call.truth(1, caseSensitive) || !call.text(2, by) || !call.integer(3, reverse)) {
    return Value::failure();
  }
  if (by != "key" && by != "value") {
    return runtime.fail("You can only sort by either \"key\" or \"value\"");
  }
  if (!isDict(call)) return Value::failure();
  DictView view{&call[0].asDict(), ViewKind::kItems};
  List* list = toList(runtime, Value(view));
  if (list == nullptr) return Value::failure();
  const Attribute sortAttribute{runtime.integer(by == "key" ? 0 : 1), !caseSensitive};
  List* keys = attributesOf(runtime, *list, sortAttribute, nullptr);
  return listOrFailure(sortItems(runtime, *list, keys, isLess, reverse != 0, 1));
}

// Returns the tuple (grouper, list) with named items.
Value groupOf(Runtime& runtime, Value grouper, List* items) {
  List* group = runtime.makeList();
  if (!runtime.push(*group, grouper) || !runtime.push(*group, Value(*items))) {
    return runtime.limitFailure();
  }
  return Value::group(group);
}

Value groupby(Call& call) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  if (!call.truth(3, caseSensitive)) return Value::failure();
  List* list = toList(runtime, call[0]);
  if (list == nullptr) return Value::failure();
  const Attribute groupAttribute{call[1], false, call[2]};
  List* keys = attributesOf(runtime, *list, {call[1], !caseSensitive, call[2]}, nullptr);
  if (keys == nullptr) return Value::failure();
  const uint32_t* positions = sortedPositions(runtime, keys->items(), isLess);
  if (positions == nullptr) return Value::failure();
  List* groups = runtime.makeList();
  List* members = nullptr;
  Value key;
  for (size_t i = 0; i < list->size(); ++i) {
    const Value item = list->items()[positions[i]];
    const Value itemKey = keys->items()[positions[i]];
    const Tristate same = members == nullptr ? Tristate::kNo : equal(runtime, key, itemKey);
    if (same == Tristate::kFailed) return Value::failure();
    if (same == Tristate::kNo) {
      key = itemKey;
      members = runtime.makeList();
      const Value grouper = groupAttribute.get(runtime, item);
      const Value group = groupOf(runtime, grouper, members);
      if (grouper.failed() || group.failed()) return Value::failure();
      groups->append(group);
    }
    if (!runtime.push(*members, item)) return runtime.limitFailure();
  }
  return Value(*groups);
}

Value unique(Call& call) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  if (!call.truth(1, caseSensitive)) return Value::failure();
  const Attribute attribute{call[2], !caseSensitive};
  Dict* seen = runtime.makeDict();
  List* out = runtime.makeList();
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const Value key = attribute.get(runtime, item);
    if (key.failed()) return key;
    if (!checkKey(runtime, key)) return Value::failure();
    if (seen->find(key) != nullptr) continue;
    if (!setItem(runtime, *seen, key, Value::none())) return Value::failure();
    if (!runtime.push(*out, item)) return runtime.limitFailure();
  }
  return each.failed() ? Value::failure() : runtime.newIterator(out);
}

// Returns the first minimum (or maximum).
Value extreme(Call& call, Operator op) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  if (!call.truth(1, caseSensitive)) return Value::failure();
  const Attribute attribute{call[2], !caseSensitive};
  Iteration each(runtime, call[0]);
  Value best = Value::absent();
  Value bestKey;
  for (Value item; each.next(item);) {
    const Value key = attribute.get(runtime, item);
    if (key.failed()) return key;
    Tristate better = Tristate::kYes;
    if (!best.isAbsent()) better = order(runtime, op, key, bestKey);
    if (better == Tristate::kFailed) return Value::failure();
    if (better == Tristate::kNo) continue;
    best = item;
    bestKey = key;
  }
  if (each.failed()) return Value::failure();
  if (!best.isAbsent()) return best;
  return emptySequence(runtime, "No aggregated item, sequence was empty.");
}

Value min(Call& call) { return extreme(call, Operator::kLess); }
Value max(Call& call) { return extreme(call, Operator::kGreater); }

constexpr Builtin kRows[] = {
    {"dictsort value case_sensitive? by? reverse?", dictsort},
    {"groupby value attribute default? case_sensitive?", groupby},
    {"max value case_sensitive? attribute?", max},
    {"min value case_sensitive? attribute?", min},
    {"sort value reverse? case_sensitive? attribute?", sort},
    {"unique value case_sensitive? attribute?", unique},
};

}  // namespace

std::span<const Builtin> orderFilters() { return kRows; }

}  // namespace strata::jinja
