// Scans the tokens of JSON. The loops examine eight bytes at a time, since most of a conversation
// is long strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::json {

/// Where the scan of a string ended: at the closing quote, or at an error.
enum class StringEnd : uint8_t { kClosed, kUnterminated, kControl, kBadEscape, kBadUtf8 };

struct StringScan {
  StringEnd end = StringEnd::kClosed;
  bool escaped = false;
  size_t at = 0;  ///< The byte after the closing quote, or the invalid byte.
};

/// Returns the end of the ASCII characters from `at` on that JSON may have unescaped in a string.
size_t skipPlain(std::string_view source, size_t at);

/// Scans a string to its closing quote. `at` is the byte after the opening quote.
StringScan scanString(std::string_view source, size_t at);

/// Returns the end of the number at `at` (RFC 8259, section 6), or `at` if there is none.
size_t scanNumber(std::string_view source, size_t at);

inline bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

inline size_t skipSpace(std::string_view source, size_t at) {
  while (at < source.size() && isSpace(source[at])) ++at;
  return at;
}

/// Returns the first position from `at` on that holds one of two ASCII characters, or
/// source.size().
size_t findEither(std::string_view source, size_t at, char first, char second);

/// Returns a hash of the first and the last eight bytes and the size. Strings that differ only in
/// the middle have the same hash.
uint32_t fingerprint(std::string_view text);

}  // namespace strata::json
