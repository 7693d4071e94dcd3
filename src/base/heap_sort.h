// Why this file exists: std::sort makes two kilobytes of WebAssembly for each type that it sorts.
// Where sorting is rare, a heap does in a fifth of that.
#pragma once

#include <algorithm>

namespace strata {

/// Sorts in place, n log n at worst. Equals may change places: let `less` tell them apart where
/// that matters.
template <typename Iterator, typename Less>
void heapSort(Iterator begin, Iterator end, const Less& less) {
  std::make_heap(begin, end, less);
  std::sort_heap(begin, end, less);
}

}  // namespace strata
