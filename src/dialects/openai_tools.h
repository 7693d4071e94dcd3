// Writes the tools and schemas of a chat completion request in Gemini's form.
#pragma once

#include "dialects/openai_draft.h"

namespace strata::dialects {

/// Reads `tools`, `tool_choice` and `parallel_tool_calls` of `request`.
void readTools(json::Value request, OpenAiDraft& draft);

/// Reads `response_format`.
void readResponseFormat(json::Value format, OpenAiDraft& draft);

}  // namespace strata::dialects
