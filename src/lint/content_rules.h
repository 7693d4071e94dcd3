// Why this file exists: what can be said of a Content by looking at nothing else.
#pragma once

#include "catalogue/finding.h"
#include "gemini/content_view.h"
#include "lint/signature.h"

namespace strata::lint {

/// Adds what the rules of one Content find: roles, parts, fields, types, signatures. `index` is its
/// place in the history; `from` says who made its signatures.
void checkContent(const gemini::ContentView& view, int32_t index, const catalogue::Target& target,
                  const Provenance& from, catalogue::Findings& findings);

/// Adds fields of `object` that stand in it in both spellings. `place` says where the object is.
void checkSpellings(json::Value object, const catalogue::Finding& place,
                    catalogue::Findings& findings);

}  // namespace strata::lint
