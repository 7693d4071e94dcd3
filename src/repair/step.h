// Describes one step for the fixes: its functionCalls, their functionResponses, and the pairing.
#pragma once

#include <utility>
#include <vector>

#include "lint/response_pairing.h"

namespace strata::repair {

using Parts = std::vector<const gemini::PartView*>;

/// The functionCalls of a model Content and the functionResponses that may answer them. It points
/// into the ContentViews that it was made from, which must outlive it.
struct Step {
  Parts calls;
  Parts responses;
  std::vector<lint::Pair> pairs;  ///< One per response, in the same order.
  size_t nameMismatches = 0;      ///< Responses whose name differs from their call's.

  Step(Parts open, Parts found);
  /// Leaves out the calls that the Content answers itself.
  Step(const gemini::ContentView& model, Parts found)
      : Step(lint::openCallsIn(model), std::move(found)) {}

  bool isComplete() const { return responses.size() == calls.size(); }
  /// Returns whether each response can answer one call only.
  bool isUnambiguous() const;
  /// Returns one response per call, in call order; nullptr for a call without one.
  Parts inCallOrder() const;
};

}  // namespace strata::repair
