// Recognizes histories of clients that the import does not read, but that look like those it reads.
#pragma once

#include <optional>

#include "base/result.h"
#include "json/value.h"

namespace strata::dialects {

/// Returns the error for messages of Anthropic's API: read as OpenAI's, they would lose their calls
/// and results.
std::optional<Error> findAnthropicMessages(json::Value root);

/// Returns the error for a session file of Gemini CLI.
std::optional<Error> findGeminiCliSession(json::Value root);

}  // namespace strata::dialects
