// Implements str.isupper() and the other predicates over whole texts, for methods and for the tests
// `upper` and `lower`.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::jinja::text {

/// Return true if `text` has at least one cased code point and all of them have that case.
bool isUpperText(std::string_view text);
bool isLowerText(std::string_view text);
/// Returns true if capitals follow only uncased code points and lowercase letters only cased ones.
bool isTitleText(std::string_view text);
/// Returns true if `text` is not empty and `predicate` is true for every code point.
bool holdsForAll(std::string_view text, bool (*predicate)(uint32_t codePoint));

}  // namespace strata::jinja::text
