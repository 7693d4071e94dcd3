// Reads attributes, items and slices, and checks the keys of dicts.
#include <algorithm>
#include <limits>

#include "base/utf8.h"
#include "jinja/long_integer.h"
#include "jinja/object.h"
#include "jinja/ops.h"

namespace strata::jinja {
namespace {

Value missingItem(Runtime& runtime, Value object, Value key) {
  return *runtime.heap.make<Missing>(object, key);
}

// Every Python object has `__class__` and similar attributes; templates must not reach them.
bool isInternal(std::string_view name) {
  return name.size() > 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__";
}

Value boundMethod(Runtime& runtime, Value object, std::string_view name) {
  const Builtin* method = findMethod(object.type(), name);
  if (method == nullptr) return Value::absent();
  if (runtime.options.immutable && changesReceiver(object.type(), name)) {
    return *runtime.heap.make<Missing>(object, runtime.string(method->name()), true);
  }
  if (object.is(Type::kRange)) {
    List* items = toList(runtime, object);
    if (items == nullptr) return Value::failure();
    object = Value::tuple(items);
  }
  return Value(*runtime.heap.make<Function>(*method, object));
}

// The attributes of numbers.
Value numberAttribute(Runtime& runtime, Value number, std::string_view name) {
  const bool isDouble = number.isDouble();
  // A bool becomes an int.
  if (number.isInteger()) number = runtime.integer(number.asInteger());
  if (name == "real") return number;
  if (name == "imag") return isDouble ? runtime.number(0) : runtime.integer(0);
  if (isDouble) return Value::absent();
  if (name == "numerator") return number;
  return name == "denominator" ? runtime.integer(1) : Value::absent();
}

Value rangeAttribute(Runtime& runtime, const Range& range, std::string_view name) {
  if (name == "start") return runtime.integer(range.start);
  if (name == "stop") return runtime.integer(range.stop);
  return name == "step" ? runtime.integer(range.step) : Value::absent();
}

// Returns getattr(object, name), or an absent value.
Value attribute(Runtime& runtime, Value object, std::string_view name) {
  Value found;
  switch (object.type()) {
    case Type::kNamespace: {
      const Value* member = object.asNamespace().members->find(name);
      return member == nullptr ? Value::absent() : *member;
    }
    case Type::kObject:
      return objectAttribute(runtime, object.asObject(), name);
    case Type::kTuple:
      if (object.isGroup() && name == "grouper") return object.asList().items()[0];
      if (object.isGroup() && name == "list") return object.asList().items()[1];
      break;
    case Type::kRange:
      found = rangeAttribute(runtime, object.asRange(), name);
      break;
    case Type::kBool:
    case Type::kInt:
    case Type::kLongInteger:
    case Type::kDouble:
      found = numberAttribute(runtime, object, name);
      break;
    default:
      break;
  }
  return found.isAbsent() ? boundMethod(runtime, object, name) : found;
}

Value missingAttribute(Runtime& runtime, Value object, std::string_view name) {
  return *runtime.heap.make<Missing>(object, runtime.string(name), isInternal(name));
}

Value accessUndefined(Runtime& runtime, Value object) {
  if (runtime.undefinedKind(object) == UndefinedKind::kChainable) return object;
  return runtime.undefinedFailure(object);
}

// Returns the position of a possibly negative index, or `size` if it is out of range.
uint64_t normalizeIndex(int64_t index, uint64_t size) {
  const auto count = static_cast<int64_t>(size);
  if (index < 0) index += count;
  return index < 0 || index >= count ? size : static_cast<uint64_t>(index);
}

Value characterAt(Runtime& runtime, std::string_view text, int64_t index, bool safe) {
  if (!runtime.canRead(text)) return Value::failure();
  const bool ascii = codePoints(text) == text.size();
  const size_t count = ascii ? text.size() : codePoints(text);
  const auto at = static_cast<size_t>(normalizeIndex(index, count));
  if (at == count) return Value::absent();
  size_t from = ascii ? at : codePointOffset(text, at);
  size_t to = from;
  decodeUtf8(text, to);
  return runtime.string(text.substr(from, to - from), safe);
}

Value itemAt(Runtime& runtime, Value object, int64_t index) {
  switch (object.type()) {
    case Type::kList:
    case Type::kTuple: {
      const auto items = object.asList().items();
      const auto at = static_cast<size_t>(normalizeIndex(index, items.size()));
      return at == items.size() ? Value::absent() : items[at];
    }
    case Type::kString: {
      return characterAt(runtime, object.text(), index, object.isSafe());
    }
    case Type::kRange: {
      const Range& range = object.asRange();
      const uint64_t at = normalizeIndex(index, range.size());
      return at == range.size() ? Value::absent() : runtime.integer(range.at(at));
    }
    default:
      return Value::absent();
  }
}

// Returns object[key], or an absent value.
Value item(Runtime& runtime, Value object, Value key) {
  if (object.is(Type::kDict)) {
    if (!hashable(runtime, key)) return Value::absent();
    if (!checkKey(runtime, key)) return Value::failure();
    const Value* found =
        key.isString() ? object.asDict().find(key.text()) : object.asDict().find(key);
    return found == nullptr ? Value::absent() : *found;
  }
  return key.isInteger() ? itemAt(runtime, object, key.asInteger()) : Value::absent();
}

struct SliceBounds {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
  uint64_t count = 0;
};

bool readBound(Runtime& runtime, Value value, int64_t& out) {
  if (value.isAbsent() || value.isNone()) return true;
  if (clampToInteger(value, out)) return true;
  runtime.fail(kNoSliceIndex);
  return false;
}

int64_t clamp(int64_t index, int64_t size, bool backwards) {
  if (index < 0) index = index < -size ? -1 : index + size;
  const int64_t last = backwards ? size - 1 : size;
  return std::max<int64_t>(backwards ? -1 : 0, std::min(index, last));
}

bool resolveSlice(Runtime& runtime, uint64_t length, Value from, Value to, Value by,
                  SliceBounds& out) {
  const auto size = static_cast<int64_t>(length);
  if (!readBound(runtime, by, out.step)) return false;
  if (out.step == 0) {
    runtime.fail("slice step cannot be zero");
    return false;
  }
  const bool backwards = out.step < 0;
  int64_t start = 0;
  int64_t stop = 0;
  if (!readBound(runtime, from, start) || !readBound(runtime, to, stop)) return false;
  const bool openStart = from.isAbsent() || from.isNone();
  const bool openEnd = to.isAbsent() || to.isNone();
  start = openStart ? (backwards ? size - 1 : 0) : clamp(start, size, backwards);
  stop = openEnd ? (backwards ? -1 : size) : clamp(stop, size, backwards);
  out.start = start;
  out.stop = stop;
  out.count = Range{start, stop, out.step}.size();
  return true;
}

Value sliceText(Runtime& runtime, Value object, const SliceBounds& bounds) {
  const std::string_view text = object.text();
  const bool ascii = codePoints(text) == text.size();
  const auto first = static_cast<size_t>(bounds.start);
  if (bounds.count == 0) return runtime.string({}, object.isSafe());
  if (bounds.step == 1) {
    const size_t from = ascii ? first : codePointOffset(text, first);
    const std::string_view rest = text.substr(from);
    const auto count = static_cast<size_t>(bounds.count);
    const size_t size = ascii ? count : codePointOffset(rest, count);
    return runtime.string(rest.substr(0, size), object.isSafe());
  }
  if (!runtime.budget.collection(bounds.count + codePoints(text) / 16))
    return runtime.limitFailure();
  std::string_view source = text;
  uint32_t* starts = nullptr;
  if (!ascii) {
    starts = runtime.heap.array<uint32_t>(codePoints(text) + 1);
    size_t count = 0;
    for (size_t at = 0; at < text.size(); decodeUtf8(text, at)) {
      starts[count++] = static_cast<uint32_t>(at);
    }
    starts[count] = static_cast<uint32_t>(text.size());
  }
  Text out(runtime);
  for (uint64_t i = 0; i < bounds.count; ++i) {
    const auto at = static_cast<size_t>(bounds.start + static_cast<int64_t>(i) * bounds.step);
    const size_t from = ascii ? at : starts[at];
    out.append(source.substr(from, ascii ? 1 : starts[at + 1] - from));
  }
  return out.take(object.isSafe());
}

Value sliceItems(Runtime& runtime, Value object, const SliceBounds& bounds) {
  if (!runtime.budget.collection(bounds.count)) return runtime.limitFailure();
  const auto items = object.asList().items();
  List* out = runtime.makeList();
  out->reserve(static_cast<size_t>(bounds.count));
  for (uint64_t i = 0; i < bounds.count; ++i) {
    out->append(items[static_cast<size_t>(bounds.start + static_cast<int64_t>(i) * bounds.step)]);
  }
  return object.is(Type::kList) ? Value(*out) : Value::tuple(out);
}

Value sliceRange(Runtime& runtime, const Range& range, const SliceBounds& bounds) {
  const auto at = [&](int64_t index) { return range.start + index * range.step; };
  int64_t step = 0;
  if (__builtin_mul_overflow(range.step, bounds.step, &step)) {
    return runtime.limitFailure(Limit::kRange);
  }
  return Value(*runtime.heap.make<Range>(at(bounds.start), at(bounds.stop), step));
}

// True where the Budget ends: the render then fails for that reason.
bool hashableNested(Budget& budget, Value value, uint32_t depth) {
  switch (value.type()) {
    case Type::kList:
    case Type::kDict:
    case Type::kDictView:
      return false;
    case Type::kTuple: {
      if (depth > 100) return false;
      for (const Value item : value.asList().items()) {
        if (!budget.spend()) return true;
        if (!hashableNested(budget, item, depth + 1)) return false;
      }
      return true;
    }
    default:
      return true;
  }
}

}  // namespace

bool hashable(Runtime& runtime, Value value) {
  return value.isString() || value.isNumber() || hashableNested(runtime.budget, value, 0);
}

bool clampToInteger(Value value, int64_t& out) {
  if (value.isInteger()) {
    out = value.asInteger();
  } else if (value.isLongInteger()) {
    out = isNegative(value) ? INT64_MIN : INT64_MAX;
  }
  return value.isAnyInteger();
}

bool checkKey(Runtime& runtime, Value key) {
  if (key.isUndefined() && runtime.undefinedKind(key) == UndefinedKind::kStrict) {
    return !runtime.undefinedFailure(key).failed();
  }
  if (key.isString()) return runtime.canRead(key);
  return hashable(runtime, key) || !runtime.fail("unhashable type: '{}'", key).failed();
}

bool setItem(Runtime& runtime, Dict& dict, Value key, Value value) {
  if (!checkKey(runtime, key)) return false;
  const bool fits = dict.size() < runtime.budget.limits().collection;
  if (!fits) runtime.budget.exceed(Limit::kCollection);
  if (!fits || !runtime.budget.spend()) {
    runtime.limitFailure();
    return false;
  }
  dict.set(key, value);
  return true;
}

Value getAttribute(Runtime& runtime, Value object, std::string_view name) {
  if (object.isUndefined()) return accessUndefined(runtime, object);
  Value found = attribute(runtime, object, name);
  if (!found.isAbsent()) return found;
  if (object.is(Type::kDict)) {
    if (const Value* member = object.asDict().find(name)) return *member;
  }
  return missingAttribute(runtime, object, name);
}

Value getAttributeOnly(Runtime& runtime, Value object, std::string_view name) {
  if (object.isUndefined()) return accessUndefined(runtime, object);
  const Value found = attribute(runtime, object, name);
  return found.isAbsent() ? missingAttribute(runtime, object, name) : found;
}

Value getItem(Runtime& runtime, Value object, Value key) {
  if (object.isUndefined()) return accessUndefined(runtime, object);
  Value found = item(runtime, object, key);
  if (found.isAbsent() && key.isString()) {
    found = attribute(runtime, object, key.text());
    if (found.isAbsent()) return missingAttribute(runtime, object, key.text());
  }
  return found.isAbsent() ? missingItem(runtime, object, key) : found;
}

Value slice(Runtime& runtime, Value object, Value start, Value stop, Value step) {
  SliceBounds bounds;
  switch (object.type()) {
    case Type::kString:
      if (!runtime.canRead(object.text())) break;
      if (!resolveSlice(runtime, codePoints(object.text()), start, stop, step, bounds)) break;
      return sliceText(runtime, object, bounds);
    case Type::kList:
    case Type::kTuple:
      if (!resolveSlice(runtime, object.asList().size(), start, stop, step, bounds)) break;
      return sliceItems(runtime, object, bounds);
    case Type::kRange:
      if (!resolveSlice(runtime, object.asRange().size(), start, stop, step, bounds)) break;
      return sliceRange(runtime, object.asRange(), bounds);
    case Type::kUndefined:
      return accessUndefined(runtime, object);
    case Type::kDict:
      return runtime.fail("unhashable type: 'slice'");
    default:
      return runtime.fail("'{}' object is not subscriptable", object);
  }
  return Value::failure();
}

}  // namespace strata::jinja
