// Why this file exists: a reader knows at every step where it is, but hardly ever has to say so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::dialects {

/// A place in the history that is read, as a chain on the stack: it costs nothing until it is told.
/// A place must not outlive the one it was made from.
class Path {
 public:
  Path() = default;
  Path at(std::string_view key) const { return Path(this, key, 0); }
  Path at(size_t index) const { return Path(this, {}, index); }

  /// The JSON Pointer of the place.
  std::string text() const;

 private:
  Path(const Path* parent, std::string_view key, size_t index)
      : parent_(parent), key_(key), index_(index) {}

  const Path* parent_ = nullptr;
  std::string_view key_;  // without one: an element
  size_t index_ = 0;
};

}  // namespace strata::dialects
