// Converts how much a chat completion request lets the model think.
#pragma once

#include "dialects/openai_draft.h"

namespace strata::dialects {

/// Reads `reasoning_effort` of `request`, and `thinking_config` of Google's own fields, which is
/// at `googlePath`.
void readThinking(json::Value request, json::Value google, const Path& googlePath,
                  OpenAiDraft& draft);

}  // namespace strata::dialects
