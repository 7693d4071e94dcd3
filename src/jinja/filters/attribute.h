// Why this file exists: map, sort, groupby and others name an attribute of their items: "a.b.0", an
// index, or "a,b" for several.
#pragma once

#include "jinja/runtime.h"

namespace strata::jinja {

/// What a filter looks at in each item.
struct Attribute {
  Value path;                        ///< A string, an index, or absent or None for the item.
  bool ignoreCase = false;           ///< Strings in lower case.
  Value fallback = Value::absent();  ///< Instead of each undefined step, if there is one.

  Value of(Runtime& runtime, Value item) const;
};

/// The attributes of all items of `list`, or null after a failure. With `several`, those of each
/// part of a path "a,b.c" side by side; `width` tells how many these are.
List* attributesOf(Runtime& runtime, List& list, const Attribute& attribute, size_t* several);

}  // namespace strata::jinja
