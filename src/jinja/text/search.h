// Searches a text for another in linear time, whatever both contain.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata::jinja::text {

/// Returns the position of the first `part` in `text`, or npos. Takes text.size() + part.size()
/// steps, where std::string_view::find takes their product in the worst case.
size_t find(std::string_view text, std::string_view part);
/// The same for the last one.
size_t rfind(std::string_view text, std::string_view part);

}  // namespace strata::jinja::text
