// Merges maps of template variables (defaults, arguments, namespaces) into one; later maps win.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace strata::prompt {

/// Returns the maps, merged from left to right, as one JSON object. Nested maps are merged; any
/// other value, including an empty one or null, replaces the earlier one. A value that is not an
/// object counts as an empty map. The rule is that of MergeMaps in the GitHub repository
/// rapidaai/voice-ai.
std::string mergeMaps(const std::vector<json::Value>& maps);

}  // namespace strata::prompt
