// Checks one Content on its own: role, Parts, field names, types, and thoughtSignatures.
#pragma once

#include "catalogue/finding.h"
#include "gemini/content_view.h"
#include "lint/signature.h"

namespace strata::lint {

/// Appends the findings of every rule that needs only this Content. `index` is the Content's
/// position in the history and becomes `Finding::content`; `from` names who issued its signatures.
/// The JSON that `view` was read from must outlive the call; findings own their text. Linear in the
/// number of fields, plus the length of text, signatures, and keys. Sources:
/// googleapis/googleapis google/ai/generativelanguage/v1beta/content.proto and
/// https://ai.google.dev/gemini-api/docs/thought-signatures.
void checkContent(const gemini::ContentView& view, int32_t index, const catalogue::Target& target,
                  const Provenance& from, catalogue::Findings& findings);

/// Returns whether a Part, or else a Content, has this field.
bool isKnownField(json::Value key, bool ofPart);

/// Returns whether the API is known to refuse this field, which clients add to Contents and Parts.
bool isRefusedName(json::Value key);

/// Appends `json.duplicate_key` for each snake_case key of `object` whose camelCase form is set as
/// well. Keys with the value null count as unset. Each finding is a copy of `location` with the
/// key appended to its path. O(n log n) in the members of `object`. Proto3 JSON accepts either
/// spelling: https://protobuf.dev/programming-guides/json/.
void checkSpellings(json::Value object, const catalogue::Finding& location,
                    catalogue::Findings& findings);

}  // namespace strata::lint
