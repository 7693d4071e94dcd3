// Why this file exists: the rules about a request that are not about its history: cache, tools,
// thinking, generation config, size.
#pragma once

#include "json/value.h"
#include "lint/lint.h"

namespace strata::lint {

/// The most bytes that one request may have.
inline constexpr size_t kMaxRequestBytes = 104857600;

/// Adds what is wrong with the fields of `request` beside `contents`. `bytes` is its size.
void checkRequest(json::Value request, size_t bytes, const LintContext& context,
                  catalogue::Findings& findings);

}  // namespace strata::lint
