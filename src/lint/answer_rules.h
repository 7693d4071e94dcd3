// Classifies the complete answers of a model: what an answer holds, and whether it can be used.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "catalogue/finding.h"
#include "json/value.h"
#include "json/writer.h"

namespace strata::lint {

/// What an answer is. The kinds from kCut on are faults, each with a rule of its own.
enum class AnswerKind : uint8_t {
  kCalls,
  kText,
  kData,            ///< No text, but an image, code, or a kind of Part that is not known.
  kCut,             ///< It ended in `CONTINUATION`: the rest needs another request.
  kMalformedCall,   ///< finishReason MALFORMED_FUNCTION_CALL
  kUnexpectedCall,  ///< finishReason UNEXPECTED_TOOL_CALL
  // No text, and the finishReason explains it:
  kMaxTokens,
  kSafety,
  kRecitation,
  kOther,
  // No text, and nothing explains it:
  kThoughtsOnly,
  kEmpty,
};

/// Returns the name of a kind, such as "calls". A fault has the name of its code without "answer.".
std::string_view answerKindName(AnswerKind kind);

/// Classifies an answer that ended with `finishReason`. `content` may be absent. Calls make an
/// answer usable whatever its finishReason says. Text counts if anything of it is visible:
/// zero-width characters, HTML comments and white space are not. Source: google-gemini/gemini-cli
/// packages/core/src/core/geminiChat.ts. O(size of the Content).
AnswerKind classifyAnswer(std::string_view finishReason, json::Value content);

/// Returns the rule that an answer of this kind breaks. After functionResponses an empty answer is
/// allowed.
std::optional<catalogue::Rule> faultOf(AnswerKind kind, bool afterResponses);

/// Writes what an answer is:
///
///     {"kind":"empty","blank":true,"text":"","calls":[],
///      "fault":{"code":"answer.empty","message":"The answer is empty"}}
///
/// `text` is the text without thoughts, `calls` is as in `gemini::writeCalls`, and `blank` says
/// that nothing of the answer is worth a turn. There is no `fault` if the answer can be used, or if
/// its rule is not an error for `target`. Parameters as above.
void writeAnswer(json::Writer& out, std::string_view finishReason, json::Value content,
                 bool afterResponses, const catalogue::Target& target);

}  // namespace strata::lint
