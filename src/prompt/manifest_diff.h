// Compares two manifests: what changed between two requests, and how much of the common prefix is
// lost.
#pragma once

#include <string>

#include "base/result.h"
#include "json/document.h"

namespace strata::prompt {

/// Returns which sections changed from `before` to `after`, and how much of the stable prefix that
/// loses, as ManifestDiff of web/sdk/types/manifest.ts. Both are manifests of compiled
/// prompts, or both of requests. Error: `manifest.version` for a value that is not a manifest of
/// version 1. Quadratic in the number of sections.
Result<json::Document> diffManifests(json::Value before, json::Value after);

}  // namespace strata::prompt
