// Why this file exists: prompts are budgeted in characters, and trimmed the same on every platform.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::prompt {

/// Unicode scalar values in `text` (valid UTF-8).
size_t countCharacters(std::string_view text);

/// The first `count` characters of `text`.
std::string_view firstCharacters(std::string_view text, size_t count);

/// `text` without Unicode white space at its ends.
std::string_view trimmed(std::string_view text);
std::string_view trimmedStart(std::string_view text);
std::string_view trimmedEnd(std::string_view text);

/// CR LF and CR become LF.
std::string withLineFeeds(std::string_view text);

}  // namespace strata::prompt
