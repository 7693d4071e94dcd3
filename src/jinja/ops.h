// Implements Python's operators on values for expressions, filters and tests. Functions that return
// a Value return Value::failure() after an error; the error is in the Runtime.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja {

enum class Operator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
};

/// Returns `type(value).__name__`: "str", "int", "NoneType", "dict_items".
std::string_view typeName(Value value);

/// Returns the name that errors of undefined values use: "str object", "jinja2.utils.Namespace
/// object", "None" (jinja2.utils.object_type_repr).
std::string describeType(Value value);

/// Returns `bool(value)`.
Tristate truth(Runtime& runtime, Value value);
/// Compares two numbers exactly. Returns -1, 0 or 1, or 2 if one of them is nan.
int compareNumbers(Value left, Value right);
/// Returns `left == right`. An object equals itself. Fails if values nest deeper than
/// Limits::valueDepth.
Tristate equal(Runtime& runtime, Value left, Value right);
/// Compares with kLess, kLessEqual, kGreater or kGreaterEqual. Fails if the types have no order.
Tristate order(Runtime& runtime, Operator op, Value left, Value right);
/// Returns `item in container`.
Tristate contains(Runtime& runtime, Value container, Value item);
/// Applies any binary operator. Comparisons return a bool.
Value binary(Runtime& runtime, Operator op, Value left, Value right);
/// Returns `-value` and `+value`. A bool becomes an int.
Value negate(Runtime& runtime, Value value);
Value positive(Runtime& runtime, Value value);
/// Returns `left ~ right`: both converted to strings; with autoescape, escaped and joined as
/// Markup if one of them is Markup, unless `plain`.
Value concatenate(Runtime& runtime, Value left, Value right, bool plain = false);

/// Returns `format % arguments`, also for the filter `format`. A tuple or dict holds several
/// arguments. Implemented in format/percent.cpp.
Value formatPercent(Runtime& runtime, Value format, Value arguments);

/// Returns whether `hash(value)` works. Lists, dicts and dict views are not hashable.
bool hashable(Runtime& runtime, Value value);
/// Checks that `key` is hashable. Returns false after the failure "unhashable type: 'list'".
bool checkKey(Runtime& runtime, Value key);
/// Sets dict[key] after checking the key and the Budget. Returns false after a failure.
bool setItem(Runtime& runtime, Dict& dict, Value key, Value value);

/// Returns `object.name`: an attribute or method, else an item, else undefined.
Value getAttribute(Runtime& runtime, Value object, std::string_view name);
/// Returns `object[key]`: an item, else an attribute, else undefined.
Value getItem(Runtime& runtime, Value object, Value key);
/// Returns Python's getattr() without items, as the filter `attr` needs it.
Value getAttributeOnly(Runtime& runtime, Value object, std::string_view name);
/// Returns `object[start:stop:step]`. A bound that is absent or None takes its default.
Value slice(Runtime& runtime, Value object, Value start, Value stop, Value step);

/// Sets `out` to an int, or to the 64-bit integer nearest to it, as Python clamps the bounds of a
/// slice. Returns false for any other value.
bool clampToInteger(Value value, int64_t& out);

/// The error of an integer that is too large for a count, such as that of a repeated list.
inline constexpr const char* kTooLargeIndex = "cannot fit 'int' into an index-sized integer";

/// The error of an index that is no integer.
inline constexpr const char* kNoSliceIndex =
    "slice indices must be integers or None or have an __index__ method";

/// Returns `len(value)`. An undefined value has length 0.
Value length(Runtime& runtime, Value value);

/// Iterates as `for x in value` does: over items, the keys of a dict, the code points of a string,
/// or the remaining items of an iterator. A list that grows during the iteration is read to its
/// original length.
///
///     Iteration each(runtime, value);
///     for (Value item; each.next(item);) ...
///     if (each.failed()) return Value::failure();
class Iteration {
 public:
  Iteration(Runtime& runtime, Value value);
  /// Reads the next item and uses one fuel. Returns false at the end and after a failure.
  bool next(Value& item);
  bool failed() const { return failed_; }
  /// Returns the number of remaining items. O(n) for strings, whose code points are counted.
  size_t remaining() const;

 private:
  bool nextOfDict(Value& item);

  Runtime& runtime_;
  Value value_;
  size_t at_ = 0;
  size_t end_ = 0;
  bool failed_ = false;
};

/// Returns `list(value)` as a new List, or null after a failure.
List* toList(Runtime& runtime, Value value);

/// Return the number of code points of `text`, and the byte offset of the code point at `index` or
/// the end. Both are O(n).
size_t codePoints(std::string_view text);
size_t codePointOffset(std::string_view text, size_t index);

}  // namespace strata::jinja
