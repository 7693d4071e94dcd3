// Why this file exists: what is known at several places (defaults, namespaces, arguments) becomes
// one map, the later the stronger.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace strata::prompt {

/// The maps from left to right in one JSON object: nested maps are merged, anything else (an empty
/// or null value too) replaces what was there. What is no object counts as an empty one.
std::string mergeMaps(const std::vector<json::Value>& maps);

}  // namespace strata::prompt
