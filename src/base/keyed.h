// Sorts positions by a key, so that equal keys are found among very many.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace strata {

struct Keyed {
  std::string key;
  size_t at;
};

/// Sorts by key, and then by position. O(n log n).
void sortByKey(std::vector<Keyed>& keyed);

}  // namespace strata
