// Says in which line and column of a text a byte is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::json {

/// Counts lines and columns for offsets that do not descend: O(bytes) for all of them.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text) : text_(text) {}

  /// Returns "line 16, column 9". Both start at 1; columns are UTF-16 code units, as in editors.
  std::string describe(size_t offset);

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t column_ = 1;
};

}  // namespace strata::json
