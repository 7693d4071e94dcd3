// Finds the signatures that gateways store in a chat message outside its text and its calls.
//
//     reasoning_details: [{type: "reasoning.encrypted", id, data}]      OpenRouter; id of the call
//     provider_specific_fields.thought_signatures: ["…"]                LiteLLM
//     thinking_blocks: [{type: "thinking", signature}]                  LiteLLM, in Anthropic's
//     form content: [{type: "thinking", signature}]                          Anthropic
//
// Sources: OpenRouterTeam/openrouter-examples#67, BerriAI/litellm#16895, "Extended thinking",
// https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking.
#pragma once

#include <string>
#include <vector>

#include "dialects/import_notes.h"
#include "dialects/path.h"
#include "json/value.h"

namespace strata::dialects {

/// A signature, and the id of the call that it belongs to, or "" if the message does not say.
struct CarriedSignature {
  std::string callId;
  std::string signature;
};

/// Returns the signatures in the order of the message. Notes those of other vendors' models, which
/// Gemini refuses.
std::vector<CarriedSignature> findCarriedSignatures(json::Value message, const Path& path,
                                                    ImportNotes& notes);

/// Returns whether a content part holds the model's thoughts in Anthropic's form.
bool isThinkingPart(json::Value part);

}  // namespace strata::dialects
