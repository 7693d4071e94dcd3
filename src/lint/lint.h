// Validates a request body of either API of Gemini: each Content or step, their sequence, and all
// other fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "interactions/wire.h"
#include "json/lenient.h"
#include "json/value.h"
#include "lint/signature.h"
#include "lint/turn_order.h"
#include "schemas/judge.h"

namespace strata::lint {

/// Appends findings about a schema.
using SchemaJudge = void (*)(const schemas::Subject& subject, const catalogue::Target& target,
                             catalogue::Findings& findings);

/// The facts that a body does not contain. `target.catalogue` and `target.model` must be set and
/// outlive every call that uses the context.
struct LintContext {
  catalogue::Target target;
  std::string model;                      ///< The model name as the caller wrote it.
  std::optional<std::string> cacheModel;  ///< The model of the CachedContent that the body names.
  int64_t cacheTokens = -1;               ///< The size of that CachedContent, or -1 if unknown.
  Provenance signaturesFrom;              ///< Who issued the signatures in the body.
  /// Checks `contents` only, as the newest turns of a thread whose earlier turns left `start`.
  /// Rules about the end of a request are skipped, because more turns may follow. `signaturesFrom`
  /// then applies to the last Content only.
  bool isTail = false;
  SequenceState start = {};
  /// Judges each schema, `schemas::judge`; or nullptr to judge none, so that a module without it
  /// does not link it.
  SchemaJudge judgeSchema = nullptr;
  /// The API that the body is for; nothing if its shape decides, and then the model's name.
  std::optional<interactions::Wire> wire = std::nullopt;
  bool stableVersion = false;  ///< Whether an Interactions body goes to v1, not to v1beta.
};

/// The method that a body is for.
enum class BodyKind : uint8_t {
  kRequest,        ///< generateContent, streamGenerateContent, or a plain countTokens.
  kCountTokens,    ///< countTokens with a `generateContentRequest`.
  kCachedContent,  ///< cachedContents.create: known by its `ttl`, `expireTime` or `displayName`.
};

/// Returns the API that a body is for: the one that the context names, or that of its shape.
interactions::Wire wireOf(json::Value body, const LintContext& context);
/// Returns the context in which a body is judged: one of the Interactions API names its model
/// itself.
LintContext contextOf(json::Value body, const LintContext& context);
/// Returns what a body of generateContent is, by its fields.
BodyKind bodyKindOf(json::Value body);
/// Returns the object in `body` that has the fields of a request.
json::Value requestOf(json::Value body);
/// Returns whether Google may have run calls of a request itself, for server-side MCP. The tools of
/// a CachedContent are not known.
bool mayHoldServerCalls(json::Value request, const LintContext& context);

/// Returns all findings about the body of a generateContent, countTokens or cachedContents.create
/// call, or of the Interactions API (lint/interaction_rules.h); of a body for OpenAI or Anthropic
/// one finding that says so. `contents` is read as follows: first those about the request's fields,
/// then those about `contents`, in order. Findings that are off for the target, or whose turn is
/// over, are left out. The severity of each is `context.target.severity(finding)`. What Google's
/// parser takes and JSON does not have comes first, as `json.lenient`. Another body that is not
/// JSON yields one `json.*` finding; nothing is thrown. O(n log n) in the size of the body at
/// worst.
catalogue::Findings lintRequest(const json::LenientTape& body, const LintContext& context);
catalogue::Findings lintRequest(std::string_view body, const LintContext& context);
/// Returns the `json.lenient` findings of a body.
catalogue::Findings departureFindings(std::string_view body, const json::LenientText& text);
/// Does the same for a body that is already parsed; `bytes` is its size. `findings` is an empty
/// list that says which findings are kept.
catalogue::Findings lintRequest(json::Value request, size_t bytes, const LintContext& context,
                                catalogue::Findings findings = {});
/// Does the same for a body of generateContent, or the newest turns of a thread: a module that
/// judges nothing else does not link the rules of the Interactions API.
catalogue::Findings lintGenerateContent(json::Value request, size_t bytes,
                                        const LintContext& context,
                                        catalogue::Findings findings = {});

}  // namespace strata::lint
