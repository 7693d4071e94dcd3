// Allocates all values of one render in arenas that are freed together. There is no reference
// counting and no garbage collection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "jinja/budget.h"

namespace strata::jinja {

/// A bump allocator. An allocation beyond `Limits::memory` still succeeds, but it empties the
/// Budget, so the render stops at its next check. Aborts if the system is out of memory.
class Arena {
 public:
  explicit Arena(Budget& budget) : budget_(budget) {}
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Returns `bytes` uninitialized, unaligned bytes that live as long as the arena.
  char* take(size_t bytes) {
    if (bytes > static_cast<size_t>(end_ - next_)) grow(bytes);
    char* place = next_;
    next_ += bytes;
    return place;
  }
  /// Extends the most recent allocation, `used` bytes at `place`, by `more` bytes. Returns false if
  /// `place` is not the most recent one or the chunk is full.
  bool extend(const char* place, size_t used, size_t more) {
    if (place + used != next_ || more > static_cast<size_t>(end_ - next_)) return false;
    next_ += more;
    return true;
  }
  /// Returns the unused end of the most recent allocation, `bytes` bytes at `place`, to the arena.
  /// Does nothing if `place` is not the most recent one.
  void releaseTail(const char* place, size_t used, size_t bytes) {
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

/// The memory of one render or one compiled template. Destructors of allocated objects never run,
/// so it holds trivially destructible data only. Text has its own arena, so a string can grow in
/// place while other values are created.
class Heap {
 public:
  explicit Heap(Budget& limits) : budget(limits), texts(limits), cells_(limits) {}

  /// Returns memory that is aligned for any value.
  void* allocate(size_t bytes) { return cells_.take((bytes + 7U) & ~size_t{7}); }
  /// Constructs a T in the arena. It lives until the Heap is destroyed.
  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    return new (allocate(sizeof(T))) T{std::forward<Arguments>(arguments)...};
  }
  template <typename T>
  T* array(size_t count) {
    return static_cast<T*>(allocate(count * sizeof(T)));
  }
  /// Returns a copy of `text` that lives as long as the Heap. Check the Budget first.
  std::string_view copy(std::string_view text) { return join(text, {}); }
  /// Returns the concatenation of `left` and `right`. If `left` is the most recent text, only
  /// `right` is copied, so building a text piece by piece takes linear time and memory.
  std::string_view join(std::string_view left, std::string_view right);

  Budget& budget;
  Arena texts;

 private:
  Arena cells_;
};

}  // namespace strata::jinja
