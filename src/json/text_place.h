// Says in which line and column of a text a byte is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"

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

/// Counts lines and columns. Reads the text once, up to the last byte that is asked for; each
/// further place then costs the same, wherever it is.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text, TextUnit unit = TextUnit::kUtf16)
      : text_(text), unit_(unit) {}

  /// Returns the place of the byte at `offset`.
  TextPlace place(size_t offset);
  /// Returns a range of bytes in the unit of the places.
  TextRange range(TextRange bytes) { return {place(bytes.begin).offset, place(bytes.end).offset}; }
  /// Returns "line 16, column 9".
  std::string describe(size_t offset);

 private:
  // What is before a byte.
  struct Count {
    size_t at = 0;
    size_t units = 0;
    size_t line = 1;
    size_t lineStart = 0;  // In units.
  };
  Count counted(Count from, size_t offset) const;

  std::string_view text_;
  TextUnit unit_;
  std::vector<Count> blocks_ = {Count{}};  // At the beginning of each block.
  Count last_;                             // At the place that was asked for last.
};

/// Writes a range as `[begin,end]`.
void writeRange(Writer& out, TextRange range);

}  // namespace strata::json
