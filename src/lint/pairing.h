// Why this file exists: a step's results are paired with its calls by id, name and position, and
// only within the step: ids repeat in long sessions.
#pragma once

#include <vector>

#include "catalogue/finding.h"
#include "gemini/content_view.h"

namespace strata::lint {

/// The functionCalls, or the functionResponses, of a Content in their order.
std::vector<const gemini::PartView*> callsIn(const gemini::ContentView& view);
std::vector<const gemini::PartView*> responsesIn(const gemini::ContentView& view);

/// Whether a call or result has an id that says something.
bool hasId(const gemini::PartView& part);
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
std::vector<Pair> pairStep(const std::vector<const gemini::PartView*>& calls,
                           const std::vector<const gemini::PartView*>& responses);

/// Adds what is wrong between the calls of one model Content and the results right behind it, which
/// stand in Content `index`: count, ids, names, order.
void checkPairs(const gemini::ContentView& calls, const gemini::ContentView& responses,
                int32_t index, catalogue::Findings& findings);

}  // namespace strata::lint
