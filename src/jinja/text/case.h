// Why this file exists: str.upper() and its family as CPython 3.11 does them, with the letters that
// become several (ß, ŉ, ﬁ) and the two sigmas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::jinja::text {

// Each appends the changed `text`, which is valid UTF-8.
void appendUpper(std::string& out, std::string_view text);
void appendLower(std::string& out, std::string_view text);
/// A capital wherever a letter follows none.
void appendTitle(std::string& out, std::string_view text);
/// The first code point in title case, the others in lower case.
void appendCapitalized(std::string& out, std::string_view text);
void appendSwapped(std::string& out, std::string_view text);
/// str.casefold(): equal for texts that differ in case alone.
void appendFolded(std::string& out, std::string_view text);

/// Whether upper() or lower() of this one code point is something else.
bool changesUpper(uint32_t codePoint);
bool changesLower(uint32_t codePoint);

}  // namespace strata::jinja::text
