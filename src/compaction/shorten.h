// Why this file exists: a text that is too long for a prompt is cut in its middle: what a tool says
// first and last is worth most. Cuts fall between code points.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::compaction {

/// How many UTF-16 units of `text` (valid UTF-8) may stay for about `tokens`: never more than it
/// has. A third of a token is reckoned for an ASCII unit here, which is on the safe side.
size_t unitsForTokens(std::string_view text, double tokens);

/// `prefix`, then the first `headRatio` and the last rest of what fits into `units` UTF-16 units;
/// only the prefix where nothing else fits, and the whole text alone where all of it does.
std::string shortenText(std::string_view text, size_t units, std::string_view prefix,
                        double headRatio);

/// A functionResponse's `response` with each of its long strings shortened to about `ratio` of its
/// tokens. Other values stay as they came; nested ones are not looked into.
std::string shortenResponse(json::Value response, double ratio, std::string_view prefix);

}  // namespace strata::compaction
