// Writes the tools and schemas of a chat completion request in Gemini's form.
#pragma once

#include "dialects/openai_draft.h"

namespace strata::dialects {

/// Gives the functions of `request` the names that Gemini takes, in `draft.names`. Call it before
/// anything reads a name.
void readNames(json::Value request, OpenAiDraft& draft);

/// Reads `tools`, `tool_choice` and `parallel_tool_calls` of `request`.
void readTools(json::Value request, OpenAiDraft& draft);

/// Reads `response_format`.
void readResponseFormat(json::Value format, OpenAiDraft& draft);

}  // namespace strata::dialects
