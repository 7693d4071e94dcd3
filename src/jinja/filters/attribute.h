// Reads the attribute that map, sort, groupby and other filters select by a path: "a.b.0", an
// index, or "a,b" for width.
#pragma once

#include "jinja/runtime.h"

namespace strata::jinja {

/// Selects an attribute of an item (make_attrgetter in jinja2/filters.py).
struct Attribute {
  Value path;               ///< A string or an index; absent or None selects the item itself.
  bool ignoreCase = false;  ///< Converts strings to lower case.
  Value fallback = Value::absent();  ///< Replaces each undefined step, unless absent or None.

  /// Returns the attribute of `item`, or Value::failure().
  Value get(Runtime& runtime, Value item) const;
};

/// Returns the attributes of all items of `list`, or null after a failure. If `width` is not
/// null, a path "a,b.c" selects width attributes per item; they are stored one after another and
/// `*width` is set to their number.
List* attributesOf(Runtime& runtime, List& list, const Attribute& attribute, size_t* width);

}  // namespace strata::jinja
