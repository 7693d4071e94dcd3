// Why this file exists: all values of one render lie in one arena and are freed together. Nothing
// is counted or swept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "jinja/budget.h"

namespace strata::jinja {

/// A bump allocator. Memory above `Limits::memory` is given all the same, but the Budget is empty
/// from then on.
class Arena {
 public:
  explicit Arena(Budget& budget) : budget_(budget) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  char* take(size_t bytes) {
    if (bytes > static_cast<size_t>(end_ - next_)) grow(bytes);
    char* place = next_;
    next_ += bytes;
    return place;
  }
  /// Makes `place`, of `used` bytes and the last thing taken, `more` bytes longer if there is room.
  bool extend(const char* place, size_t used, size_t more) {
    if (place + used != next_ || more > static_cast<size_t>(end_ - next_)) return false;
    next_ += more;
    return true;
  }
  /// Of `place`, if it is the last thing taken, only `used` of its `bytes` are needed.
  void giveBack(const char* place, size_t used, size_t bytes) {
    if (place + bytes == next_) next_ -= bytes - used;
  }

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
};

/// Destructors of what it holds never run, so it holds only plain data. Text lies apart, so that a
/// text can grow in place while other values are made.
class Heap {
 public:
  explicit Heap(Budget& budget) : texts(budget), cells_(budget) {}

  /// Aligned for any value.
  void* allocate(size_t bytes) { return cells_.take((bytes + 7U) & ~size_t{7}); }
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
  /// `left` and `right` in one. Where `left` was the last text made, only `right` is copied, so
  /// that building a text piece by piece takes linear time and memory.
  std::string_view join(std::string_view left, std::string_view right);

  Arena texts;

 private:
  Arena cells_;
};

}  // namespace strata::jinja
