// Classifies characters for the lexer.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::jinja {

/// Return the length in bytes of the white space (as str.strip() defines it) at the start or end of
/// `text`.
size_t leadingSpace(std::string_view text);
size_t trailingSpace(std::string_view text);

/// Returns the length in bytes of the characters at the start of `text` that match `\w` or may
/// continue a name.
size_t identifierLength(std::string_view text);
/// str.isidentifier()
bool isIdentifier(std::string_view text);

}  // namespace strata::jinja
