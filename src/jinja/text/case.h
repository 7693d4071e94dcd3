// Implements str.upper() and the other case conversions of CPython 3.11, including letters that
// become several (ß, ŉ, ﬁ) and the final sigma. The rules are those of the Unicode Standard,
// section 3.13 (https://docs.python.org/3.11/library/stdtypes.html#str.upper).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::jinja::text {

// Each function appends the converted `text`. `text` must be valid UTF-8.
void appendUpper(std::string& out, std::string_view text);
void appendLower(std::string& out, std::string_view text);
/// Converts the first letter of each word to title case. A word is a run of cased characters.
void appendTitle(std::string& out, std::string_view text);
/// Converts the first code point to title case and the others to lower case.
void appendCapitalized(std::string& out, std::string_view text);
void appendSwapped(std::string& out, std::string_view text);
/// Implements str.casefold(): texts that differ only in case give equal results.
void appendFolded(std::string& out, std::string_view text);

/// The case conversions of Go's strings package: each code point by itself, to one code point.
enum class Case : uint8_t { kUpper, kLower, kTitle };
/// Implements Go's strings.ToUpper(), strings.ToLower(), and strings.Title() of the lower case.
void appendSimple(std::string& out, std::string_view text, Case wanted);

/// Return whether upper() or lower() changes this code point.
bool changesUpper(uint32_t codePoint);
bool changesLower(uint32_t codePoint);

}  // namespace strata::jinja::text
