// Normalizes Contents as python-genai writes them: snake_case names, base64url bytes and null
// fields.
//
// The API accepts both spellings, but two spellings in one history do not share a cached prefix.
// Source: "ProtoJSON Format", https://protobuf.dev/programming-guides/json/.
#pragma once

#include <string>

#include "dialects/import_notes.h"
#include "json/value.h"

namespace strata::dialects {

/// Returns `content` with its known fields in camelCase, its bytes in standard base64 and without
/// null fields. Arguments, responses and unknown fields stay as they are. Returns "" if nothing
/// changed. Adds what changed to `notes`.
std::string normalizeSpelling(json::Value content, const Path& path, ImportNotes& notes);

}  // namespace strata::dialects
