// Builds the variables that a prompt template reads: the namespaces system, assistant,
// conversation, session, message and args, and the arguments again at root level.
#pragma once

#include <string>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

struct PromptArguments {
  std::string json;  ///< A JSON object. It is a copy: nothing borrows from the sources.
  catalogue::Findings findings;
};

/// Builds the arguments from `sources`, an ArgumentSources (docs/prompts.md). From lowest to
/// highest precedence: `variables` (a template's defaults), `args`, the namespaces. An argument
/// named like a namespace is available only as `args.NAME` and is reported as a finding. The
/// namespaces are those of the GitHub repository rapidaai/voice-ai. Returns `field.invalid` for a
/// source of the wrong type or form, `json.too_deep` if dotted keys nest too deeply.
Result<PromptArguments> promptArguments(json::Value sources);

}  // namespace strata::prompt
