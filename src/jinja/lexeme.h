// Why this file exists: what the lexer must know of a character.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::jinja {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of white space (Unicode's, as Python strips it) at the begin or end of `text`.
size_t leadingSpace(std::string_view text);
size_t trailingSpace(std::string_view text);

/// Bytes of the identifier at the begin of `text`.
size_t identifierLength(std::string_view text);

}  // namespace strata::jinja
