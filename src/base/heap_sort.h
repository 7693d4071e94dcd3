// Sorts with a heap. std::sort adds about 2 kB of WebAssembly per sorted type, this a fifth of it.
#pragma once

#include <algorithm>

namespace strata {

/// Sorts [begin, end) in place in O(n log n). The sort is not stable: if the order of equal
/// elements matters, `less` must compare them by a second criterion.
template <typename Iterator, typename Less>
void heapSort(Iterator begin, Iterator end, const Less& less) {
  std::make_heap(begin, end, less);
  std::sort_heap(begin, end, less);
}

}  // namespace strata
