// Estimates the tokens of texts, Parts and Contents for which no count of the API is known.
//
// Source of the text rule: Gemini CLI, packages/core/src/utils/tokenCalculation.ts.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"
#include "tokens/media.h"

namespace strata::tokens {

/// Estimated tokens by kind.
struct Measure {
  double text = 0;      ///< Text of user and model.
  double data = 0;      ///< Calls, responses and other JSON.
  double media = 0;     ///< Never calibrated: the API documents what it counts.
  double thoughts = 0;  ///< Thought summaries, which the API does not count with the answer.

  double sum() const { return text + data + media + thoughts; }
};

/// Returns the tokens of plain text: 0.25 for an ASCII character and 1.5 for each other UTF-16 code
/// unit. Reads invalid or truncated UTF-8 safely.
double estimateText(std::string_view text);

/// Returns the tokens of a Content, an array of Contents, or any other JSON by its text. Calls and
/// responses count by their JSON text, media by `media`, and signatures not at all.
Measure measure(json::Value value, MediaCount media);

/// Returns the tokens of one Content, rounded down, with flat counts for media.
uint32_t estimateContent(json::Value content);

/// Returns the tokens of one Part, rounded down, with flat counts for media.
uint32_t estimatePart(json::Value part);

/// Like `estimateContent`, with the media counts of Gemini 2.5.
uint32_t estimateContentGemini2(json::Value content);
/// Like `estimateContent`, with the media counts of Gemini 3 and newer.
uint32_t estimateContentGemini3(json::Value content);

}  // namespace strata::tokens
