// Why this file exists: the inner loops of reading JSON. They look at eight bytes at a time,
// because most of a conversation is the inside of long strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace strata::json {

/// How the inside of a string ended.
enum class StringEnd : uint8_t { kClosed, kUnterminated, kControl, kBadEscape, kBadUtf8 };

struct StringScan {
  StringEnd end = StringEnd::kClosed;
  bool escaped = false;
  size_t at = 0;  ///< Behind the closing quote, or the offending byte.
};

/// Scans from `at`, just behind the opening quote.
StringScan scanString(std::string_view source, size_t at);

/// Behind the JSON number that starts at `at`; `at` itself where there is none.
size_t scanNumber(std::string_view source, size_t at);

inline bool isSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

inline size_t skipSpace(std::string_view source, size_t at) {
  while (at < source.size() && isSpace(source[at])) ++at;
  return at;
}

/// Where one of two ASCII characters stands first, from `at` on; the size where neither does.
size_t findEither(std::string_view source, size_t at, char first, char second);

/// A number that equal strings share and different ones rarely do.
uint32_t fingerprint(std::string_view text);

}  // namespace strata::json
