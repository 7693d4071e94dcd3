// Why this file exists: tokens are estimated where the API's count is not known yet.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace strata::tokens {

/// Of plain text (valid UTF-8): a quarter a character for ASCII, one and a half a UTF-16 unit for
/// the rest; text above 100,000 units counts a quarter a unit (Gemini CLI's rule).
double estimateText(std::string_view text);

/// Of one Content, rounded down. Text, calls and results by their text; media by kind.
uint32_t estimateContent(json::Value content);

/// Of one Part, rounded down.
uint32_t estimatePart(json::Value part);

/// Of a Content, an array of Contents, or any other JSON by its text.
uint32_t estimateJson(json::Value value);

}  // namespace strata::tokens
