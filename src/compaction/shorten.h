// Shortens long texts by removing their middle; cuts only between code points.
//
// Source: Gemini CLI, packages/core/src/context/truncation.ts.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::compaction {

/// Returns how many UTF-16 code units of `text` fit into about `tokens` tokens, at most its length.
/// Counts 0.33 tokens for an ASCII unit, more than `tokens::estimateText`, to be on the safe side.
/// `text` must be valid UTF-8.
size_t unitsForTokens(std::string_view text, double tokens);

/// Returns `text` if it has at most `units` UTF-16 code units. Otherwise returns `prefix`, the
/// start and the end of the text within that limit; the start gets `headRatio` of the room. Returns
/// only `prefix` if nothing else fits.
std::string shortenText(std::string_view text, size_t units, std::string_view prefix,
                        double headRatio);

/// Returns a functionResponse's `response` with each string longer than 100 UTF-16 units shortened
/// to about `ratio` of its tokens, but at least 10. Other values keep their bytes, and nested
/// values are not shortened.
std::string shortenResponse(json::Value response, double ratio, std::string_view prefix);

}  // namespace strata::compaction
