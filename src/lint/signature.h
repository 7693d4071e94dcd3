// Why this file exists: a thoughtSignature is opaque, but a wrong one can be told from its spelling
// and from where it came.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/finding.h"

namespace strata::lint {

/// Whether `signature` could be base64 (standard or URL-safe, padded or not) of one byte string.
/// Two signatures joined have padding in the middle and fail.
bool isBase64(std::string_view signature);

/// The same by its ends and its length: a file may have megabytes. Finds data URLs, paths and text,
/// and what was cut off.
bool looksLikeBase64(std::string_view data);

/// The documented placeholder that both services take.
inline constexpr std::string_view kPlaceholder = "skip_thought_signature_validator";

/// Whether this is one of the two documented placeholders, as text or as base64 of the text.
bool isPlaceholder(std::string_view signature);

/// The model and service that made a history's signatures; empty fields mean: those of the request.
struct Provenance {
  std::string model;
  std::string backend;
};

/// What speaks against sending signatures from there to `target`. Another service refuses them;
/// another family of models may.
catalogue::Severity foreignSeverity(const Provenance& from, const catalogue::Target& target);

}  // namespace strata::lint
