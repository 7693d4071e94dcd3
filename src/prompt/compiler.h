// Compiles sections into a prompt: a stable half that can be cached, a dynamic half, and a manifest
// that describes both without containing their text.
#pragma once

#include <optional>
#include <string>

#include "catalogue/finding.h"
#include "json/value.h"
#include "prompt/prompt_template.h"

namespace strata::prompt {

/// A compiled prompt. It owns its text.
///
///     full:  [ stableBytes ][ boundary, if both halves have text ][ dynamicBytes ]
struct CompiledPrompt {
  std::string full;
  size_t stableBytes = 0;
  size_t dynamicBytes = 0;
  std::string manifest;  ///< A JSON object; see src/layers/manifest.schema.json.
};

/// Compiles `input`, a PromptInput (docs/prompts.md), into `prompt`. A section becomes `## title`,
/// a line feed and its trimmed text; a blank line separates sections; blank sections are left out.
/// `target` decides the severity of the diagnostics in the manifest.
/// Returns a failure for an invalid or unknown option and, under `strict`, for a template that
/// cannot be compiled or rendered; `prompt` is then unspecified.
std::optional<PromptFailure> compilePrompt(json::Value input, const catalogue::Target& target,
                                           CompiledPrompt& prompt);

}  // namespace strata::prompt
