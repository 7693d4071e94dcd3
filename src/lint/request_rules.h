// Checks the fields of a request other than `contents`: cachedContent, systemInstruction, tools,
// generationConfig, and the size of the body.
#pragma once

#include "json/value.h"
#include "lint/lint.h"

namespace strata::lint {

/// The API's limit for the size of one request: 100 MiB.
inline constexpr size_t kMaxRequestBytes = 104857600;

/// Appends findings about every field of `request` except the Contents themselves. `bytes` is the
/// size of the body. `request` may be any JSON value. Cache rules follow
/// https://ai.google.dev/gemini-api/docs/generate-content/caching.
void checkRequest(json::Value request, BodyKind kind, size_t bytes, const LintContext& context,
                  catalogue::Findings& findings);

}  // namespace strata::lint
