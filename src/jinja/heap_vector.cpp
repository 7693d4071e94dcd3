#include "jinja/heap_vector.h"

#include <cstdlib>
#include <string_view>

namespace strata::jinja {

void* growHeapVector(Heap& heap, void* items, uint32_t size, uint32_t& capacity, size_t itemSize) {
  capacity = capacity == 0 ? 4 : capacity * 2;
  void* grown = heap.allocate(capacity * itemSize);
  if (size > 0) std::memcpy(grown, items, size * itemSize);
  return grown;
}

void sortNamed(void* items, size_t count, size_t itemSize) {
  if (count < 2) return;
  std::qsort(items, count, itemSize, [](const void* left, const void* right) {
    return static_cast<const std::string_view*>(left)->compare(
        *static_cast<const std::string_view*>(right));
  });
}

}  // namespace strata::jinja
