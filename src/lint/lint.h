// Why this file exists: lint is the thread's own machine folded over a whole request body, plus the
// rules about everything that is not history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "lint/sequence.h"
#include "lint/signature.h"

namespace strata::lint {

/// What is known besides the body.
struct LintContext {
  catalogue::Target target;
  std::string model;                      ///< As the caller named it.
  std::optional<std::string> cacheModel;  ///< Of the CachedContent that the body names.
  int64_t cacheTokens = -1;
  Provenance signaturesFrom;
  /// Only `contents` counts: the newest turns of a thread that stands at `start` before them. More
  /// may follow, and `signaturesFrom` is said of the last of them.
  bool isTail = false;
  SequenceState start = {};
};

/// All findings about a generateContent body, in the order of its Contents. Severities are final:
/// judge them with `context.target`.
catalogue::Findings lintRequest(std::string_view body, const LintContext& context);
/// The same for a body of `bytes` bytes that has been read.
catalogue::Findings lintRequest(json::Value request, size_t bytes, const LintContext& context);

}  // namespace strata::lint
