// Filters that compare items: sort, dictsort, groupby, unique, min, max.
#include "jinja/filters/attribute.h"
#include "jinja/filters/sorting.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"

namespace strata::jinja {
namespace {

Value picked(Runtime& runtime, std::span<const Value> items,
             const std::vector<uint32_t>& positions) {
  List* out = runtime.makeList();
  if (!runtime.budget.collection(items.size())) return runtime.limitFailure();
  out->reserve(items.size());
  for (const uint32_t position : positions) out->append(items[position]);
  return Value::list(out);
}

// The keys by which the items of `list` are compared. False after a failure.
bool keysOf(Runtime& runtime, List& list, const std::vector<AttributeGetter>& getters,
            std::vector<Value>& keys) {
  keys.reserve(list.size() * getters.size());
  for (const Value& item : list.items()) {
    for (const AttributeGetter& getter : getters) {
      keys.push_back(getter.get(runtime, item));
      if (keys.back().failed()) return false;
    }
  }
  return true;
}

Value sort(Call& call) {
  Runtime& runtime = call.runtime;
  int64_t reverse = 0;
  bool caseSensitive = false;
  if (!call.integer(1, reverse) || !call.truth(2, caseSensitive)) return Value::failure();
  List* list = toList(runtime, call[0]);
  if (list == nullptr) return Value::failure();
  const auto getters = attributeGetters(call[3], !caseSensitive);
  std::vector<Value> keys;
  std::vector<uint32_t> positions;
  if (!keysOf(runtime, *list, getters, keys)) return Value::failure();
  if (!sortedPositions(runtime, keys, getters.size(), true, reverse != 0, positions)) {
    return Value::failure();
  }
  return picked(runtime, list->items(), positions);
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
    return runtime.fail({"You can only sort by either \"key\" or \"value\""});
  }
  if (call[0].isUndefined()) return runtime.undefinedFailure(call[0]);
  if (!call[0].is(Type::kDict)) {
    return runtime.fail({"'", typeName(call[0]), "' object has no attribute 'items'"});
  }
  DictView view{&call[0].asDict(), ViewKind::kItems};
  List* list = toList(runtime, Value::view(&view));
  if (list == nullptr) return Value::failure();
  const std::vector<AttributeGetter> getters = {
      AttributeGetter(Value::integer(by == "key" ? 0 : 1), !caseSensitive)};
  std::vector<Value> keys;
  std::vector<uint32_t> positions;
  if (!keysOf(runtime, *list, getters, keys)) return Value::failure();
  if (!sortedPositions(runtime, keys, 1, false, reverse != 0, positions)) return Value::failure();
  return picked(runtime, list->items(), positions);
}

// The tuple (grouper, list) that also has those names.
Value groupOf(Runtime& runtime, const Value& grouper, List* items) {
  List* group = runtime.makeList();
  if (!runtime.push(*group, grouper) || !runtime.push(*group, Value::list(items))) {
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
  const std::vector<AttributeGetter> getters = {AttributeGetter(call[1], !caseSensitive, call[2])};
  const AttributeGetter shown(call[1], false, call[2]);
  std::vector<Value> keys;
  std::vector<uint32_t> positions;
  if (!keysOf(runtime, *list, getters, keys)) return Value::failure();
  if (!sortedPositions(runtime, keys, 1, false, false, positions)) return Value::failure();
  List* groups = runtime.makeList();
  List* members = nullptr;
  Value key;
  for (const uint32_t position : positions) {
    const Answer same = members == nullptr ? Answer::kNo : equal(runtime, key, keys[position]);
    if (same == Answer::kFailed) return Value::failure();
    const Value& item = list->items()[position];
    if (same == Answer::kNo) {
      key = keys[position];
      members = runtime.makeList();
      const Value grouper = shown.get(runtime, item);
      const Value group = groupOf(runtime, grouper, members);
      if (grouper.failed() || group.failed()) return Value::failure();
      groups->append(group);
    }
    if (!runtime.push(*members, item)) return runtime.limitFailure();
  }
  return Value::list(groups);
}

Value unique(Call& call) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  if (!call.truth(1, caseSensitive)) return Value::failure();
  const AttributeGetter getter(call[2], !caseSensitive);
  Dict* seen = runtime.makeDict();
  List* out = runtime.makeList();
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const Value key = getter.get(runtime, item);
    if (key.failed()) return key;
    if (key.isUndefined() && runtime.options.undefined == UndefinedKind::kStrict) {
      return runtime.undefinedFailure(key);
    }
    if (hashable(key) && seen->find(key) != nullptr) continue;
    if (!setItem(runtime, *seen, key, Value::none())) return Value::failure();
    if (!runtime.push(*out, item)) return runtime.limitFailure();
  }
  return each.failed() ? Value::failure() : runtime.newIterator(out);
}

// The first item of which none is less (or greater).
Value extreme(Call& call, Operator op) {
  Runtime& runtime = call.runtime;
  bool caseSensitive = false;
  if (!call.truth(1, caseSensitive)) return Value::failure();
  const AttributeGetter getter(call[2], !caseSensitive);
  Iteration each(runtime, call[0]);
  Value best = Value::absent();
  Value bestKey;
  for (Value item; each.next(item);) {
    const Value key = getter.get(runtime, item);
    if (key.failed()) return key;
    Answer better = Answer::kYes;
    if (!best.isAbsent()) better = order(runtime, op, key, bestKey);
    if (better == Answer::kFailed) return Value::failure();
    if (better == Answer::kNo) continue;
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
    {"dictsort", "value case_sensitive? by? reverse?", dictsort},
    {"groupby", "value attribute default? case_sensitive?", groupby},
    {"max", "value case_sensitive? attribute?", max},
    {"min", "value case_sensitive? attribute?", min},
    {"sort", "value reverse? case_sensitive? attribute?", sort},
    {"unique", "value case_sensitive? attribute?", unique},
};

}  // namespace

std::span<const Builtin> orderFilters() { return kRows; }

}  // namespace strata::jinja
