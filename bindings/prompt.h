// Declares what the module templates does with prompts, their arguments and manifests.
#pragma once

#include "core.h"

namespace strata::bindings {

/// Compiles a prompt. Part 0: a PromptInput. Replies {"stable":…,"dynamic":…,"manifest":{…}} and
/// the full text, whose start and end have these lengths in bytes; or an error, or a template
/// error.
void compilePrompt(Core& core);
/// Splits a full text (part 0) at its boundary. Replies {"stable":…,"dynamic":…}, the lengths of
/// its start and its end in bytes, or {"none":true} if it has no boundary.
void splitPrompt(Core& core);
/// Merges arguments of a prompt. Part 0: an ArgumentSources. Replies
/// {"arguments":{…},"diagnostics":[…]} or an error.
void promptArguments(Core& core);
/// Compares the manifests in parts 0 and 1. Replies a ManifestDiff or an error.
void diffManifests(Core& core);
/// Part 0: bytes. Replies {"fingerprint":…}, their SHA-256 in hexadecimal.
void fingerprint(Core& core);
/// Part 0: "static" or "dynamic". Replies {} and the source of that layer's default template.
void defaultTemplate(Core& core);

}  // namespace strata::bindings
