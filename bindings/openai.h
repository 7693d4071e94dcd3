// Declares what the module `gateway` offers for OpenAI's dialect.
#pragma once

#include "core.h"

namespace strata::bindings {

/// Converts a chat completion request (part 0). Part 1: {"model":…,"backend":…,"now":…}. Replies
/// {"model":…,"stream":…,"includeUsage":…,"names":{…},"diagnostics":[…]} and the body of
/// generateContent.
void openAiRequest(Core& core);

}  // namespace strata::bindings
