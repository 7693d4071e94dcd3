// Why this file exists: sorting whose comparisons can fail. A library sort may read out of bounds
// when its order is not one (nan, values that cannot be compared); this one only moves indices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jinja/runtime.h"

namespace strata::jinja {

/// The positions of `count` things in their order, equal ones as they stood. Each of them has
/// `width` keys, one after another in `keys`; the first that differ decide. With `listed`, keys are
/// compared as the items of lists are: equal ones are passed without asking which is less.
/// False after a failure.
bool sortedPositions(Runtime& runtime, std::span<const Value> keys, size_t width, bool listed,
                     bool reverse, std::vector<uint32_t>& positions);

}  // namespace strata::jinja
