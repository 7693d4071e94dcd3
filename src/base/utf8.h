// Validates, decodes and encodes UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

/// Returns the length in bytes of the sequence at `text[at]`, or 0 if it is not well-formed by
/// table 3-7 of the Unicode Standard. Requires at < text.size().
size_t utf8SequenceLength(std::string_view text, size_t at);

/// Returns the length of the run of ASCII characters at `at`, rounded down to a multiple of eight.
size_t asciiRun(std::string_view text, size_t at);

/// Returns the length of the sequence that starts with the byte `lead`. Requires valid UTF-8.
constexpr size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Appends `codePoint` as UTF-8. Surrogates and values above U+10FFFF become U+FFFD.
void appendUtf8(std::string& out, uint32_t codePoint);

/// Returns the code point at `text[at]` and advances `at` past it. Requires valid UTF-8 and
/// at < text.size().
uint32_t decodeUtf8(std::string_view text, size_t& at);

/// Returns `text` with each byte that is not part of a well-formed sequence replaced by U+FFFD.
std::string validUtf8(std::string_view text);

}  // namespace strata
