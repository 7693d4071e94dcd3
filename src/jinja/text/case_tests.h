// Why this file exists: str.isupper() and its kin are questions about all code points of a text,
// asked by methods and by the tests `upper` and `lower`.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::jinja::text {

/// At least one cased code point, and all cased ones are of that case.
bool isUpperText(std::string_view text);
bool isLowerText(std::string_view text);
/// Capitals follow uncased code points alone, others cased ones alone.
bool isTitleText(std::string_view text);
/// Not empty, and `question` holds for every code point.
bool holdsForAll(std::string_view text, bool (*question)(uint32_t codePoint));

}  // namespace strata::jinja::text
