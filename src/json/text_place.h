// Says in which line and column of a text a byte is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// What offsets and columns count. kUtf16: the code units of a JavaScript string.
enum class TextUnit : uint8_t { kByte, kUtf16 };
inline constexpr std::array<std::string_view, 2> kTextUnitNames = {"bytes", "utf16"};

/// A half-open range of offsets in a text.
struct TextRange {
  size_t begin = 0;
  size_t end = 0;
};

/// A place in a text. `line` and `column` start at 1.
struct TextPlace {
  size_t offset;
  size_t line;
  size_t column;
};

/// Counts lines and columns for offsets that do not descend: O(bytes) for all of them.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text, TextUnit unit = TextUnit::kUtf16)
      : text_(text), unit_(unit) {}

  /// Returns the place of the byte at `offset`.
  TextPlace place(size_t offset);
  /// Returns "line 16, column 9".
  std::string describe(size_t offset);

 private:
  std::string_view text_;
  TextUnit unit_;
  size_t at_ = 0;
  size_t units_ = 0;
  size_t line_ = 1;
  size_t lineStart_ = 0;  // In units.
};

}  // namespace strata::json
