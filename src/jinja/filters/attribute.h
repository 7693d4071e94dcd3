// Why this file exists: map, sort, groupby and others name an attribute of their items: "a.b.0", an
// index, or "a,b" for several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jinja/runtime.h"

namespace strata::jinja {

/// What a filter looks at in each item.
class AttributeGetter {
 public:
  /// `attribute` is a string, an index, or absent or None for the item itself.
  AttributeGetter(const Value& attribute, bool ignoreCase, const Value& fallback = Value::absent());

  /// The attribute of `item`; `fallback` for each undefined step if there is one.
  Value get(Runtime& runtime, const Value& item) const;

 private:
  std::vector<Value> steps_;
  Value fallback_;
  bool ignoreCase_;
};

/// One getter for each part of "a,b.c".
std::vector<AttributeGetter> attributeGetters(const Value& attribute, bool ignoreCase);

/// `value` in lower case if it is a string.
Value ignoreCase(Runtime& runtime, const Value& value);

}  // namespace strata::jinja
