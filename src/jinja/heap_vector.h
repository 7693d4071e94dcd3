// Provides a growable array in a Heap. All item types share one growth function, which keeps the
// WebAssembly module smaller than std::vector would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "jinja/heap.h"

namespace strata::jinja {

/// Returns a copy of `items` with room for at least one more item of `itemSize` bytes.
void* growHeapVector(Heap& heap, void* items, uint32_t size, uint32_t& capacity, size_t itemSize);

/// Sorts items whose first member is a std::string_view, the name.
void sortNamed(void* items, size_t count, size_t itemSize);
template <typename T>
void sortByName(std::span<T> items) {
  sortNamed(items.data(), items.size(), sizeof(T));
}

/// A growable array of trivially copyable items. Items and the result of `span()` live as long as
/// the Heap; a growing array leaves its old storage to the Heap.
template <typename T>
class HeapVector {
 public:
  explicit HeapVector(Heap& heap) : heap_(&heap) {}

  T& add(const T& item) {
    if (size_ == capacity_) {
      items_ = static_cast<T*>(growHeapVector(*heap_, items_, size_, capacity_, sizeof(T)));
    }
    items_[size_] = item;
    return items_[size_++];
  }
  std::span<T> span() const { return {items_, size_}; }
  T* begin() const { return items_; }
  T* end() const { return items_ + size_; }
  T& operator[](size_t at) const { return items_[at]; }
  T& back() const { return items_[size_ - 1]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void shrink(size_t size) { size_ = static_cast<uint32_t>(size); }

 private:
  Heap* heap_;
  T* items_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

}  // namespace strata::jinja
