// Sorts values whose comparison can fail. std::sort may read out of bounds if the order is
// inconsistent (nan, incomparable values); this merge sort only moves indices.
#pragma once

#include <cstdint>
#include <span>

#include "jinja/runtime.h"

namespace strata::jinja {

/// Returns whether the left key sorts before the right one.
using Less = Tristate (*)(Runtime& runtime, Value left, Value right);

/// Compares with `left < right`, as sorted() does.
Tristate isLess(Runtime& runtime, Value left, Value right);
/// Compares as Python compares the items of two lists: equal items are not ordered with `<`.
Tristate isLessItem(Runtime& runtime, Value left, Value right);

/// Returns the positions of the items in sorted order, an array in the Heap, or null after a
/// failure. The sort is stable and takes O(n log n) comparisons. Each item has `width` consecutive
/// keys; the first pair that is not equal decides.
uint32_t* sortedPositions(Runtime& runtime, std::span<const Value> keys, Less less,
                          bool reverse = false, size_t width = 1);

}  // namespace strata::jinja
