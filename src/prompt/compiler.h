// Why this file exists: sections become a prompt: a stable half that a cache can hold, a dynamic
// half, and a manifest that says what they are made of without saying it.
#pragma once

#include <optional>
#include <string>

#include "catalogue/finding.h"
#include "json/value.h"
#include "prompt/prompt_template.h"

namespace strata::prompt {

struct CompiledPrompt {
  std::string full;         ///< The stable half, the boundary, the dynamic half.
  size_t stableBytes = 0;   ///< Of `full`, at its start.
  size_t dynamicBytes = 0;  ///< Of `full`, at its end.
  std::string manifest;     ///< A JSON object.
};

/// Compiles `input`, a PromptInput: see docs/prompts.md. A section is `## title`, a line feed and
/// its trimmed text; sections are a blank line apart; blank ones are left out. Fails for an option
/// that is none and, under `strict`, for a template that can't be rendered.
std::optional<LayerFailure> compilePrompt(json::Value input, const catalogue::Target& target,
                                          CompiledPrompt& prompt);

}  // namespace strata::prompt
