// Why this file exists: a template reads message.language as a member of a map, so an argument with
// that name becomes one.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

/// `object` as JSON with its dotted keys, at any depth, as nested maps:
///
///     {"message.language":"English"}   {"message":{"language":"English"}}
///
/// Plain keys come first, then dotted ones in the order of their bytes. A value that is there
/// stays, one that stands where a map is needed gives way, and a blank segment ends the expansion:
/// each is a finding below `path`. Errors: `json.too_deep`.
Result<std::string> expandDottedKeys(json::Value object, std::string_view path,
                                     catalogue::Findings& findings);

}  // namespace strata::prompt
