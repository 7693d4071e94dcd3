// Decodes HTML character references for the striptags filter.
#pragma once

#include <string>
#include <string_view>

namespace strata::jinja::text {

/// Appends `text` with numeric references and common named references decoded, as Python's
/// html.unescape does. The roughly two thousand other named references stay unchanged.
void appendUnescapedHtml(std::string& out, std::string_view text);

}  // namespace strata::jinja::text
