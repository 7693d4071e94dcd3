// Why this file exists: all values of one render lie in one arena and are freed together. Nothing
// is counted or swept, and copying a Value is copying two words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "jinja/budget.h"

namespace strata::jinja {

/// A bump allocator. Destructors of what it holds never run, so it holds only plain data.
/// Memory above `Limits::memory` is given all the same, but the Budget is empty from then on.
class Heap {
 public:
  explicit Heap(Budget& budget) : budget_(budget) {}
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Aligned for any value.
  void* allocate(size_t bytes) {
    bytes = (bytes + 7U) & ~size_t{7};
    next_ = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(next_) + 7U) & ~uintptr_t{7});
    if (next_ == nullptr || next_ > end_ || bytes > static_cast<size_t>(end_ - next_)) grow(bytes);
    void* place = next_;
    next_ += bytes;
    return place;
  }
  /// `new T(arguments...)` in the arena.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    return new (allocate(sizeof(T))) T{std::forward<Arguments>(arguments)...};
  }
  template <typename T>
  T* array(size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }
  /// A copy of `text`. Ask the Budget first.
  std::string_view copy(std::string_view text) { return join(text, {}); }
  /// `left` and `right` in one. Where `left` was the last thing made, only `right` is copied, so
  /// that building a text piece by piece takes linear time and memory.
  std::string_view join(std::string_view left, std::string_view right);
  /// Makes `place`, of `used` bytes and the last thing made, `more` bytes longer if there is room.
  bool extend(const char* place, size_t used, size_t more) {
    if (place + used != next_ || more > static_cast<size_t>(end_ - next_)) return false;
    next_ += more;
    return true;
  }

  /// Of `place`, the last thing made, only `used` of its `bytes` are needed.
  void giveBack(char* place, size_t used, size_t bytes) {
    if (place != nullptr && place + bytes == next_) next_ = place + used;
  }

  Budget& budget() { return budget_; }

 private:
  struct Chunk {
    Chunk* previous;
    size_t bytes;
  };

  void grow(size_t bytes);

  Budget& budget_;
  Chunk* chunk_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
  size_t total_ = 0;
};

}  // namespace strata::jinja
