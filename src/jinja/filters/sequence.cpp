// Implements filters for iterables.
#include <algorithm>
#include <string>

#include "jinja/filters/attribute.h"
#include "jinja/filters/tables.h"
#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

Value first(Call& call) {
  Iteration each(call.runtime, call[0]);
  Value item;
  if (each.next(item)) return item;
  if (each.failed()) return Value::failure();
  return emptySequence(call.runtime, "No first item, sequence was empty.");
}

// Returns whether Python's reversed() accepts the value: sequences, dicts and their views, but no
// iterators.
bool isReversible(Value value) {
  return value.isString() || value.isSequence() || value.is(Type::kDict) ||
         value.is(Type::kDictView) || value.is(Type::kRange) || value.isUndefined();
}

Value last(Call& call) {
  Runtime& runtime = call.runtime;
  const Value value = call[0];
  if (!isReversible(value)) {
    return runtime.fail("'{}' object is not reversible", value);
  }
  if (value.isString() && !value.text().empty())
    return getItem(runtime, value, runtime.integer(-1));
  List* list = toList(runtime, value);
  if (list == nullptr) return Value::failure();
  if (list->size() > 0) return list->items().back();
  return emptySequence(runtime, "No last item, sequence was empty.");
}

// Returns the first item: the core has no randomness.
Value random(Call& call) {
  Runtime& runtime = call.runtime;
  const Value count = length(runtime, call[0]);
  if (count.failed()) return count;
  if (count.asInteger() > 0) return getItem(runtime, call[0], runtime.integer(0));
  return emptySequence(runtime, "No random item, sequence was empty.");
}

Value lengthFilter(Call& call) { return length(call.runtime, call[0]); }

Value list(Call& call) {
  List* out = toList(call.runtime, call[0]);
  return out == nullptr ? Value::failure() : Value(*out);
}

Value reverse(Call& call) {
  Runtime& runtime = call.runtime;
  if (call[0].isString()) {
    return slice(runtime, call[0], Value::absent(), Value::absent(), runtime.integer(-1));
  }
  List* out = toList(runtime, call[0]);
  if (out == nullptr) return Value::failure();
  std::reverse(out->items().begin(), out->items().end());
  return isReversible(call[0]) ? runtime.newIterator(out) : Value(*out);
}

Value items(Call& call) {
  Runtime& runtime = call.runtime;
  if (call[0].isUndefined()) return runtime.newIterator(runtime.makeList());
  if (!call[0].is(Type::kDict)) return runtime.fail("Can only get item pairs from a mapping.");
  DictView view{&call[0].asDict(), ViewKind::kItems};
  List* out = toList(runtime, Value(view));
  return out == nullptr ? Value::failure() : runtime.newIterator(out);
}

Value defaultFilter(Call& call) {
  bool byTruth = false;
  if (!call.truth(2, byTruth)) return Value::failure();
  bool replaced = call[0].isUndefined();
  if (!replaced && byTruth) {
    const Tristate condition = truth(call.runtime, call[0]);
    if (condition == Tristate::kFailed) return Value::failure();
    replaced = condition == Tristate::kNo;
  }
  if (!replaced) return call[0];
  return call.has(1) ? call[1] : Value::emptyString();
}

// With autoescape, one Markup item makes the result Markup.
bool anySafe(List& list) {
  const auto items = list.items();
  return std::any_of(items.begin(), items.end(), [](Value item) { return item.isSafe(); });
}

Value join(Call& call) {
  Runtime& runtime = call.runtime;
  Value separator = call.has(1) ? toText(runtime, call[1]) : Value::emptyString();
  if (separator.failed()) return separator;
  const Attribute attribute{call[2]};
  List* list = toList(runtime, call[0]);
  if (list == nullptr) return Value::failure();
  for (Value& item : list->items()) {
    item = toText(runtime, attribute.get(runtime, item));
    if (item.failed()) return item;
  }
  const bool safe = runtime.autoescape && (separator.isSafe() || anySafe(*list));
  if (safe) separator = escape(runtime, separator);
  Text out(runtime);
  bool isFirst = true;
  for (const Value item : list->items()) {
    if (out.failed()) break;
    if (!isFirst) out.append(separator.text());
    isFirst = false;
    out.append(safe ? escape(runtime, item).text() : item.text());
  }
  return out.take(safe);
}

Value sum(Call& call) {
  Runtime& runtime = call.runtime;
  Value total = call.has(2) ? call[2] : runtime.integer(0);
  if (total.isString()) return runtime.fail("sum() can't sum strings [use ''.join(seq) instead]");
  const Attribute attribute{call[1]};
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const Value summand = attribute.get(runtime, item);
    if (summand.failed()) return summand;
    total = binary(runtime, Operator::kAdd, total, summand);
    if (total.failed()) return total;
  }
  return each.failed() ? Value::failure() : total;
}

// Fills up the last row of a batch, if the call says with what. Returns false after a failure.
bool fillRow(Call& call, List& row) {
  double size = 0;
  if (!call.has(2) || call[2].isNone()) return true;
  if (!call.amount(1, size)) return false;
  int64_t whole = 0;
  const bool isShort = static_cast<double>(row.size()) < size;
  if (isShort && !call.clampedInteger(1, whole)) return false;
  while (static_cast<double>(row.size()) < size) {
    if (!call.runtime.push(row, call[2])) return !call.runtime.limitFailure().failed();
  }
  return true;
}

Value batch(Call& call) {
  Runtime& runtime = call.runtime;
  List* rows = runtime.makeList();
  List* row = runtime.makeList();
  Iteration each(runtime, call[0]);
  for (Value item; each.next(item);) {
    const auto size = static_cast<int64_t>(row->size());
    const Tristate isFull = equal(runtime, runtime.integer(size), call[1]);
    if (isFull == Tristate::kFailed) return Value::failure();
    if (isFull == Tristate::kYes) {
      if (!runtime.push(*rows, Value(*row))) return runtime.limitFailure();
      row = runtime.makeList();
    }
    if (!runtime.push(*row, item)) return runtime.limitFailure();
  }
  if (each.failed()) return Value::failure();
  if (row->size() > 0) {
    if (!fillRow(call, *row)) return Value::failure();
    if (!runtime.push(*rows, Value(*row))) return runtime.limitFailure();
  }
  return runtime.newIterator(rows);
}

Value sliceFilter(Call& call) {
  Runtime& runtime = call.runtime;
  List* list = toList(runtime, call[0]);
  if (list == nullptr) return Value::failure();
  // Python divides before it counts, so 0.0 is a division by zero and 2.0 is no count.
  const Value length = runtime.integer(static_cast<int64_t>(list->size()));
  if (binary(runtime, Operator::kFloorDivide, length, call[1]).failed()) return Value::failure();
  int64_t count = 0;
  if (!call.clampedInteger(1, count)) return Value::failure();
  List* columns = runtime.makeList();
  if (count < 0) return runtime.newIterator(columns);
  const auto slices = static_cast<uint64_t>(count);
  if (!runtime.budget.collection(slices)) return runtime.limitFailure();
  const auto size = static_cast<size_t>(list->size() / slices);
  const auto longer = static_cast<size_t>(list->size() % slices);
  size_t at = 0;
  for (uint64_t i = 0; i < slices; ++i) {
    List* column = runtime.makeList();
    for (const uint64_t end = at + size + (i < longer ? 1 : 0); at < end; ++at) {
      if (!runtime.push(*column, list->items()[at])) return runtime.limitFailure();
    }
    if (i >= longer && call.has(2) && !call[2].isNone() && !runtime.push(*column, call[2]))
      return runtime.limitFailure();
    columns->append(Value(*column));
  }
  return runtime.newIterator(columns);
}

Value attr(Call& call) {
  std::string_view name;
  if (!call.text(1, name) || !call.runtime.canRead(name)) return Value::failure();
  return getAttributeOnly(call.runtime, call[0], name);
}

constexpr Builtin kRows[] = {
    {"attr obj name", attr},
    {"batch value linecount fill_with?", batch},
    {"count obj /", lengthFilter},
    {"d value default_value? boolean?", defaultFilter},
    {"default value default_value? boolean?", defaultFilter},
    {"first seq", first},
    {"items value", items},
    {"join value d? attribute?", join},
    {"last seq", last},
    {"length obj /", lengthFilter},
    {"list value", list},
    {"random seq", random},
    {"reverse value", reverse},
    {"slice value slices fill_with?", sliceFilter},
    {"sum iterable attribute? start?", sum},
};

}  // namespace

Value emptySequence(Runtime& runtime, std::string_view hint) {
  return runtime.undefinedFor(hint, Value::none(), Value::none());
}

bool isDict(Call& call) {
  const Value value = call[0];
  if (value.is(Type::kDict)) return true;
  if (value.isUndefined()) {
    call.runtime.undefinedFailure(value);
  } else {
    call.runtime.fail("'{}' object has no attribute 'items'", value);
  }
  return false;
}

std::span<const Builtin> sequenceFilters() { return kRows; }

}  // namespace strata::jinja
