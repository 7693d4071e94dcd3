// Why this file exists: a step's results are paired with its calls by id, name and position, and
// only within the step: ids repeat in long sessions.
#pragma once

#include <vector>

#include "history/content_view.h"
#include "rules/finding.h"

namespace strata::history {

/// The functionCalls, or the functionResponses, of a Content in their order.
std::vector<const PartView*> callsIn(const ContentView& view);
std::vector<const PartView*> responsesIn(const ContentView& view);

/// Whether a call or result has an id that says something.
bool hasId(const PartView& part);
/// Whether two strings spell the same, however they are escaped.
bool sameText(json::Value a, json::Value b);

/// Which call a result answers.
struct Pair {
  int32_t call = -1;  ///< Its position among the calls, or -1: all calls have another result.
  bool byId = false;
  bool sure = false;  ///< By id or name, and no other call could be meant.
};

/// Pairs each result with a call of the same step: by id; else by a name, at its own position
/// first; else with the first call that is left. Several calls of one name are sure of their
/// results where all calls have one and nothing speaks against their order: the API pairs them so.
std::vector<Pair> pairStep(const std::vector<const PartView*>& calls,
                           const std::vector<const PartView*>& responses);

/// Adds what is wrong between the calls of one model Content and the results right behind it, which
/// stand in Content `index`: count, ids, names, order.
void checkPairs(const ContentView& calls, const ContentView& responses, int32_t index,
                rules::Findings& findings);

}  // namespace strata::history
