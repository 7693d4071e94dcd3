// Why this file exists: sorting whose comparisons can fail. A library sort may read out of bounds
// when its order is not one (nan, values that cannot be compared); this one only moves indices.
#pragma once

#include <cstdint>
#include <span>

#include "jinja/runtime.h"

namespace strata::jinja {

/// Whether the first of two keys comes first.
using Less = Tristate (*)(Runtime& runtime, Value left, Value right);

/// `left < right`, as sorted() asks.
Tristate isLess(Runtime& runtime, Value left, Value right);
/// The same between items of lists: equal ones are passed without asking which is less.
Tristate isLessItem(Runtime& runtime, Value left, Value right);

/// The positions of things in their order, equal ones as they stood; in the Heap. Each thing has
/// `width` keys, one after another in `keys`; the first pair of which one is less decides. Null
/// after a failure.
uint32_t* sortedPositions(Runtime& runtime, std::span<const Value> keys, Less less,
                          bool reverse = false, size_t width = 1);

}  // namespace strata::jinja
