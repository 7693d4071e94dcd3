// Tracks the position in an imported history without allocating; formats it only when needed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::dialects {

/// A position in the imported history, as a chain of objects on the stack. A path must not outlive
/// its parent or its key. A default Path is the root.
class Path {
 public:
  Path() = default;
  Path at(std::string_view key) const { return Path(this, key, 0); }
  Path at(size_t index) const { return Path(this, {}, index); }

  /// Returns the position as a JSON Pointer (RFC 6901).
  std::string text() const;

 private:
  Path(const Path* parent, std::string_view key, size_t index)
      : parent_(parent), key_(key), index_(index) {}

  const Path* parent_ = nullptr;
  std::string_view key_;  // empty for an element of an array
  size_t index_ = 0;
};

}  // namespace strata::dialects
