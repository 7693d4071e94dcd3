// Counts, truncates and trims text by Unicode characters, independent of platform and locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata {

// A character is a Unicode scalar value. All inputs must be valid UTF-8. Returned views borrow from
// their argument.

/// Returns the number of characters in `text`.
size_t countCharacters(std::string_view text);

/// Returns the first `count` characters of `text`, or all of it if it is shorter.
std::string_view firstCharacters(std::string_view text, size_t count);

/// Returns `text` without leading and trailing white space (the Unicode property White_Space).
std::string_view trimmed(std::string_view text);
std::string_view trimmedStart(std::string_view text);
std::string_view trimmedEnd(std::string_view text);

/// Returns `text` with each CR LF and each lone CR replaced by LF.
std::string normalizeLineEndings(std::string_view text);

}  // namespace strata
