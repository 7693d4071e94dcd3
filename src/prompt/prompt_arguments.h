// Why this file exists: templates read what is known under fixed names: system, assistant,
// conversation, session, message, args; and the conversation's own arguments at root level too.
#pragma once

#include <string>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

struct PromptArguments {
  std::string json;  ///< An object, all of it written anew: it shares nothing with the sources.
  catalogue::Findings findings;
};

/// Builds the arguments from an ArgumentSources: see docs/prompts.md. An argument with the name of
/// a namespace is only in `args`, and a finding. `variables`, a template's defaults, are below all
/// else. Errors: `field.invalid`, `json.too_deep`.
Result<PromptArguments> promptArguments(json::Value sources);

}  // namespace strata::prompt
