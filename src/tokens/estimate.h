// Why this file exists: tokens are estimated where the API's count is not known yet.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"
#include "tokens/media.h"

namespace strata::tokens {

/// Estimated tokens by what they are made of.
struct Measure {
  double text = 0;      ///< Words of user and model.
  double data = 0;      ///< Calls, results and other JSON.
  double media = 0;     ///< Not learned: the API tells what it counts.
  double thoughts = 0;  ///< Their summaries, which the API does not count with the answer.

  double sum() const { return text + data + media + thoughts; }
};

/// Of plain text (valid UTF-8): a quarter a character for ASCII, one and a half a UTF-16 unit for
/// the rest; text above 100,000 units counts a quarter a unit (Gemini CLI's rule).
double estimateText(std::string_view text);

/// Of a Content, an array of Contents, or any other JSON by its text. Calls and results by their
/// text, media by kind.
Measure measure(json::Value value, MediaCount media);

/// Of one Content, rounded down, media flat.
uint32_t estimateContent(json::Value content);

/// Of one Part, rounded down, media flat.
uint32_t estimatePart(json::Value part);

/// The same as `estimateContent` for a model of Gemini 2.5, and of Gemini 3 and newer.
uint32_t estimateContent2(json::Value content);
uint32_t estimateContent3(json::Value content);

}  // namespace strata::tokens
