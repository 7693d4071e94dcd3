// Pairs each functionResponse of a step with the functionCall that it answers, and reports what
// does not match. Pairing never crosses steps, because ids repeat in long sessions
// (google/adk-python#6761).
#pragma once

#include <span>
#include <vector>

#include "catalogue/finding.h"
#include "gemini/content_view.h"

namespace strata::lint {

/// Return the functionCall Parts, or the functionResponse Parts, of a Content in order. The
/// pointers are valid while `view` is neither read again nor destroyed.
std::vector<const gemini::PartView*> callsIn(const gemini::ContentView& view);
std::vector<const gemini::PartView*> responsesIn(const gemini::ContentView& view);

/// Returns the functionCall Parts of Contents of one text that none of them answers: Google's own
/// calls have their responses behind them, in the same Content or in a later one of the model.
std::vector<const gemini::PartView*> openCallsIn(std::span<const gemini::ContentView> views);
inline std::vector<const gemini::PartView*> openCallsIn(const gemini::ContentView& view) {
  return openCallsIn({&view, 1});
}

/// Returns whether a functionCall or functionResponse has a non-empty string id.
bool hasId(const gemini::PartView& part);
/// Returns whether two JSON strings denote the same text, whatever escapes they use.
bool sameText(json::Value a, json::Value b);

/// The functionCall that one functionResponse answers.
struct Pair {
  int32_t call = -1;         ///< Position among the calls; -1 if every call has another response.
  bool byId = false;         ///< The ids are equal.
  bool unambiguous = false;  ///< Paired by id or name, and no other call can be meant.
};

/// Returns one Pair for each response, in the order of `responses`. Responses are matched by id and
/// name, then by id, then by name (same position first), and last with the first calls that remain.
/// Several calls with one name are unambiguous only if every call has a response and no other pair
/// contradicts their order: without ids the API pairs by position
/// (https://ai.google.dev/gemini-api/docs/function-calling). O(n log n) in calls and responses.
std::vector<Pair> pairStep(const std::vector<const gemini::PartView*>& calls,
                           const std::vector<const gemini::PartView*>& responses);

/// Appends findings about count, ids, names, and order of one step. `calls` are the calls of the
/// model, `responses` is the user Content right after them, at position `index` of the history.
void checkPairs(const std::vector<const gemini::PartView*>& calls,
                const gemini::ContentView& responses, int32_t index,
                const catalogue::Target& target, catalogue::Findings& findings);

}  // namespace strata::lint
