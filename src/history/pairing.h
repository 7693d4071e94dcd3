// Why this file exists: a step's results are paired with its calls by id, name and position, and
// only within the step: ids repeat in long sessions.
#pragma once

#include "history/content_view.h"
#include "rules/finding.h"

namespace strata::history {

/// Adds what is wrong between the calls of one model Content and the results right behind it, which
/// stand in Content `index`: count, ids, names, order.
void checkPairs(const ContentView& calls, const ContentView& responses, int32_t index,
                rules::Findings& findings);

}  // namespace strata::history
