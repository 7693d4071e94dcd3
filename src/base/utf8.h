// Why this file exists: the few things about UTF-8 that more than one room needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

/// The length in bytes of the well-formed sequence at `text[at]`, or 0 where it is not well formed
/// (overlong forms, surrogates and values above U+10FFFF are not).
size_t utf8SequenceLength(std::string_view text, size_t at);

/// How many ASCII characters stand in a row from `at` on, counted in eights.
size_t asciiRun(std::string_view text, size_t at);

/// The length of the sequence that begins with `lead`, in valid UTF-8.
constexpr size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Appends `codePoint`; a surrogate or a value above U+10FFFF becomes U+FFFD.
void appendUtf8(std::string& out, uint32_t codePoint);

/// The code point at `text[at]` of valid UTF-8; moves `at` behind it.
uint32_t decodeUtf8(std::string_view text, size_t& at);

}  // namespace strata
