// Why this file exists: striptags gives text, so character references become characters again.
#pragma once

#include <string>
#include <string_view>

namespace strata::jinja::text {

/// Python's html.unescape for numbers and for the names that prompts hold. The other two thousand
/// names of HTML stay as they are.
void appendUnescapedHtml(std::string& out, std::string_view text);

}  // namespace strata::jinja::text
