// Reads request fields that the assembler has no option for, which callers pass in `extra`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "catalogue/finding.h"
#include "layers/input.h"

namespace strata::layers {

/// Reads `json`, the caller's `extra`, into `input.extra`; `input.wire` must be set. Returns an
/// error unless it is a JSON object without any field that the assembler writes.
Status readExtra(std::string_view json, AssembleInput& input);

/// Returns the members of `extra`, a JSON object, without its braces.
std::string_view membersOf(std::string_view extra);

/// Turns the findings about fields of `extra` that no version of the API known to this package has
/// into infos, because the caller asked to send them. `fields` is the body that was checked.
void markExtraFields(json::Value fields, gemini::Backend backend, catalogue::Findings& findings);

/// Adds the same infos about `extra`, an object or "", in a request of the Interactions API.
void noteUnknownExtra(std::string_view extra, catalogue::Findings& findings);

}  // namespace strata::layers
