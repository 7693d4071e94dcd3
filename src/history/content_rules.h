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

}  // namespace strata::history
