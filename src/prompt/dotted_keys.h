// Expands dotted keys such as "message.language" into nested maps, because a template reads
// `message.language` as a member of a map.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::prompt {

/// Returns `object` as JSON with its dotted keys, at any depth, expanded into nested maps:
///
///     {"message.language":"English"}   {"message":{"language":"English"}}
///
/// Plain keys are placed first, then dotted keys in byte order. An existing value wins over a
/// dotted key; a value in the way of a needed map is replaced; a blank segment ends the expansion
/// of its key. Each of these losses is appended to `findings` with a path below `path`. The order
/// of precedence is that of CanonicalizePromptArguments in the GitHub repository rapidaai/voice-ai.
/// Returns `json.too_deep` for a key with json::kMaxDepth dots or more.
Result<std::string> expandDottedKeys(json::Value object, std::string_view path,
                                     catalogue::Findings& findings);

}  // namespace strata::prompt
