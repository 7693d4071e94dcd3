// Why this file exists: Python's operators on values, once, for expressions, filters and tests
// alike.
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

/// "str", "int", "NoneType", "dict_items": what `type(value).__name__` is in Python.
std::string_view typeName(Value value);

/// How undefined values name an object: "str object", "jinja2.utils.Namespace object", "None".
std::string describeType(Value value);

/// `bool(value)`
Tristate truth(Runtime& runtime, Value value);
/// `left == right`; a value equals itself.
Tristate equal(Runtime& runtime, Value left, Value right);
/// One of kLess, kLessEqual, kGreater, kGreaterEqual.
Tristate order(Runtime& runtime, Operator op, Value left, Value right);
/// `item in container`
Tristate contains(Runtime& runtime, Value container, Value item);
/// Any binary operator; comparisons give a bool.
Value binary(Runtime& runtime, Operator op, Value left, Value right);
Value negate(Runtime& runtime, Value value);
Value positive(Runtime& runtime, Value value);
/// `left ~ right` (string()ed; with autoescape, escaped and joined as Markup).
Value concatenate(Runtime& runtime, Value left, Value right);

/// `format % arguments`, as the filter `format` does it too (a tuple or dict is many arguments).
/// In filters/.
Value formatPercent(Runtime& runtime, Value format, Value arguments);

/// `hash(value)` works: strings, numbers, none, and tuples of those.
bool hashable(Value value);
/// Whether `key` can be one; false after a failure: unhashable type: 'list'.
bool checkKey(Runtime& runtime, Value key);
/// dict[key] = value, with the Budget asked and the key checked. False after a failure.
bool setItem(Runtime& runtime, Dict& dict, Value key, Value value);

/// `object.name`: attribute or method first, then item.
Value getAttribute(Runtime& runtime, Value object, std::string_view name);
/// `object[key]`: item first, then attribute.
Value getItem(Runtime& runtime, Value object, Value key);
/// Python's getattr alone, no items; the filter `attr`.
Value getAttributeOnly(Runtime& runtime, Value object, std::string_view name);
/// `object[start:stop:step]`, each absent or None where it was left out.
Value slice(Runtime& runtime, Value object, Value start, Value stop, Value step);

/// `len(value)`; undefined has 0.
Value length(Runtime& runtime, Value value);

/// Walks what `for x in value` would: items, keys of a dict, code points of a string, what is left
/// of an iterator. A list that grows meanwhile is walked to the length that it had.
///
///     Iteration each(runtime, value);
///     for (Value item; each.next(item);) ...
///     if (each.failed()) return Value::failure();
class Iteration {
 public:
  Iteration(Runtime& runtime, Value value);
  /// Takes one fuel. False at the end and after a failure.
  bool next(Value& item);
  bool failed() const { return failed_; }
  /// How many are left (code points of a string are counted).
  size_t left() const;

 private:
  bool nextOfDict(Value& item);

  Runtime& runtime_;
  Value value_;
  size_t at_ = 0;
  size_t end_ = 0;
  bool failed_ = false;
};

/// `list(value)`: a new List, or null after a failure.
List* toList(Runtime& runtime, Value value);

/// How many code points; the first `count` of them; where the one at `index` begins.
size_t codePoints(std::string_view text);
size_t codePointOffset(std::string_view text, size_t index);

}  // namespace strata::jinja
