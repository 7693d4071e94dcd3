// Why this file exists: what can be said of a Content by looking at nothing else.
#pragma once

#include "history/content_view.h"
#include "history/signature.h"
#include "rules/finding.h"

namespace strata::history {

/// Adds what the rules of one Content find: roles, parts, fields, types, signatures. `index` is its
/// place in the history; `from` says who made its signatures.
void checkContent(const ContentView& view, int32_t index, const rules::Target& target,
                  const Provenance& from, rules::Findings& findings);

/// Adds fields of `object` that stand in it in both spellings. `place` says where the object is.
void checkSpellings(json::Value object, const rules::Finding& place, rules::Findings& findings);

}  // namespace strata::history
