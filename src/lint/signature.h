// Validates the encoding and the origin of a thoughtSignature. Its content is opaque.
#pragma once

#include <string>
#include <string_view>

#include "catalogue/finding.h"
#include "gemini/content_view.h"
#include "json/options_reader.h"

namespace strata::lint {

/// Returns whether `signature` is base64 (RFC 4648, standard or URL-safe alphabet, padding
/// optional) of one byte string. Two concatenated signatures have padding in the middle and fail.
/// Proto3 JSON accepts both alphabets: https://protobuf.dev/programming-guides/json/.
bool isBase64(std::string_view signature);

/// Returns whether `data` is base64 as far as its length, its first 64, and its last characters
/// show. O(1), for inline data of many megabytes. Rejects data URLs, paths, plain text, and
/// truncated data.
bool looksLikeBase64(std::string_view data);

/// The placeholder signature that both the Gemini API and Vertex AI document, see the FAQ of
/// https://ai.google.dev/gemini-api/docs/thought-signatures.
inline constexpr std::string_view kPlaceholder = gemini::kPlaceholderSignature;

/// Returns whether `signature` is one of the two documented placeholders, raw or base64-encoded.
bool isPlaceholder(std::string_view signature);

/// The model and the backend ("gemini" or "vertex") that issued the signatures of a history. An
/// empty field means the same as the request's.
struct Provenance {
  std::string model;
  std::string backend;
};

/// Reads the option `name`, the Provenance of signatures.
Provenance readProvenance(json::OptionsReader& options, std::string_view name);

/// Returns how severe it is to send signatures from `from` to `target`: an error for another
/// backend or vendor, a warning for another family of Google's models, otherwise off. Gemini CLI
/// strips signatures when the backend changes (google-gemini/gemini-cli, config.ts). Whether they
/// are valid across model families is not documented.
catalogue::Severity foreignSeverity(const Provenance& from, const catalogue::Target& target);

}  // namespace strata::lint
