// Implements the methods of list, tuple and range. A list of the context is the render's own copy.
#include <algorithm>

#include "jinja/filters/sorting.h"
#include "jinja/methods/tables.h"
#include "jinja/ops.h"

namespace strata::jinja {
namespace {

Value noneOrLimit(Runtime& runtime, bool room) {
  return room ? Value::none() : runtime.limitFailure();
}

Value append(Call& call) {
  return noneOrLimit(call.runtime, call.runtime.push(call[0].asList(), call[1]));
}

Value extend(Call& call) {
  List* more = toList(call.runtime, call[1]);
  if (more == nullptr) return Value::failure();
  for (const Value item : more->items()) {
    if (!call.runtime.push(call[0].asList(), item)) return call.runtime.limitFailure();
  }
  return Value::none();
}

// Clamps an index as insert() and slices do.
size_t clamped(int64_t index, size_t size) {
  const auto count = static_cast<int64_t>(size);
  if (index < 0) index += count;
  return static_cast<size_t>(std::clamp<int64_t>(index, 0, count));
}

Value insert(Call& call) {
  int64_t index = 0;
  if (!call.integer(1, index)) return Value::failure();
  List& list = call[0].asList();
  const size_t at = clamped(index, list.size());
  if (!call.runtime.push(list, call[2])) return call.runtime.limitFailure();
  if (!call.runtime.budget.spend((list.size() - at) / 8)) return call.runtime.limitFailure();
  const auto items = list.items();
  std::rotate(items.begin() + static_cast<ptrdiff_t>(at), items.end() - 1, items.end());
  return Value::none();
}

bool erase(Runtime& runtime, List& list, size_t at) {
  if (!runtime.budget.spend((list.size() - at) / 8)) return !runtime.limitFailure().failed();
  list.erase(at);
  return true;
}

Value pop(Call& call) {
  Runtime& runtime = call.runtime;
  int64_t index = -1;
  if (!call.integer(1, index)) return Value::failure();
  List& list = call[0].asList();
  const auto size = static_cast<int64_t>(list.size());
  if (size == 0) return runtime.fail("pop from empty list");
  if (index < 0) index += size;
  if (index < 0 || index >= size) return runtime.fail("pop index out of range");
  const auto at = static_cast<size_t>(index);
  const Value item = list.items()[at];
  return erase(runtime, list, at) ? item : Value::failure();
}

// Returns the position of the first item in [start, end) that equals parameter 1, or -1.
Value positionOf(Call& call, size_t start, size_t end) {
  const auto items = call[0].asList().items();
  for (size_t i = start; i < end; ++i) {
    const Tristate same =
        items[i].identical(call[1]) ? Tristate::kYes : equal(call.runtime, items[i], call[1]);
    if (same == Tristate::kFailed) return Value::failure();
    if (same == Tristate::kYes) return call.runtime.integer(static_cast<int64_t>(i));
    if (!call.runtime.budget.spend()) return call.runtime.limitFailure();
  }
  return call.runtime.integer(-1);
}

Value index(Call& call) {
  const size_t size = call[0].asList().size();
  int64_t start = 0;
  int64_t end = static_cast<int64_t>(size);
  if (!call.clampedInteger(2, start) || !call.clampedInteger(3, end)) return Value::failure();
  const Value at = positionOf(call, clamped(start, size), clamped(end, size));
  if (at.failed() || at.asInteger() >= 0) return at;
  return call.runtime.fail("the value is not in the {}", call[0]);
}

Value remove(Call& call) {
  List& list = call[0].asList();
  const Value at = positionOf(call, 0, list.size());
  if (at.failed()) return at;
  if (at.asInteger() < 0) return call.runtime.fail("list.remove(x): x not in list");
  const bool erased = erase(call.runtime, list, static_cast<size_t>(at.asInteger()));
  return erased ? Value::none() : Value::failure();
}

Value count(Call& call) {
  int64_t times = 0;
  const size_t size = call[0].asList().size();
  for (size_t at = 0; at < size; ++at) {
    const Value next = positionOf(call, at, size);
    if (next.failed()) return next;
    if (next.asInteger() < 0) break;
    at = static_cast<size_t>(next.asInteger());
    ++times;
  }
  return call.runtime.integer(times);
}

Value reverse(Call& call) {
  const auto items = call[0].asList().items();
  if (!call.runtime.budget.spend(items.size() / 8)) return call.runtime.limitFailure();
  std::reverse(items.begin(), items.end());
  return Value::none();
}

Value sort(Call& call) {
  Runtime& runtime = call.runtime;
  int64_t reverse = 0;
  if (!call.integer(2, reverse)) return Value::failure();
  const auto items = call[0].asList().items();
  if (!runtime.budget.collection(items.size())) return runtime.limitFailure();
  List* keys = runtime.makeList();
  for (const Value item : items) {
    const bool byKey = call.has(1) && !call[1].isNone();
    keys->append(byKey ? runtime.call(call[1], {{&item, 1}, {}}) : item);
    if (keys->items().back().failed()) return Value::failure();
  }
  const uint32_t* positions = sortedPositions(runtime, keys->items(), isLess, reverse != 0);
  const Value before = runtime.newList(items);
  if (positions == nullptr || before.failed()) return Value::failure();
  for (size_t i = 0; i < items.size(); ++i) items[i] = before.asList().items()[positions[i]];
  return Value::none();
}

Value copy(Call& call) { return call.runtime.newList(call[0].asList().items()); }

Value clear(Call& call) {
  call[0].asList().clear();
  return Value::none();
}

constexpr Builtin kListRows[] = {
    {"append self object /", append},
    {"clear self /", clear},
    {"copy self /", copy},
    {"count self value /", count},
    {"extend self iterable /", extend},
    {"index self value start? stop? /", index},
    {"insert self index object /", insert},
    {"pop self index? /", pop},
    {"remove self value /", remove},
    {"reverse self /", reverse},
    {"sort self key? reverse?", sort},
};

constexpr Builtin kTupleRows[] = {
    {"count self value /", count},
    {"index self value start? stop? /", index},
};

// The receiver is a tuple of the range's items (access.cpp).
constexpr Builtin kRangeRows[] = {
    {"count self value /", count},
    {"index self value /", index},
};

}  // namespace

std::span<const Builtin> listMethods() { return kListRows; }
std::span<const Builtin> tupleMethods() { return kTupleRows; }
std::span<const Builtin> rangeMethods() { return kRangeRows; }

}  // namespace strata::jinja
