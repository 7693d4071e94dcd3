// Classifies characters for the lexer.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::jinja {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Return the length in bytes of the white space (as str.strip() defines it) at the start or end of
/// `text`.
size_t leadingSpace(std::string_view text);
size_t trailingSpace(std::string_view text);

/// Returns the length in bytes of the characters that match `\w` at the start of `text`.
size_t identifierLength(std::string_view text);

}  // namespace strata::jinja
