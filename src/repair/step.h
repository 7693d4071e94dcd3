// Why this file exists: what repair asks of the calls and results of one step is the same,
// whichever rule it mends.
#pragma once

#include <vector>

#include "lint/pairing.h"

namespace strata::repair {

using Parts = std::vector<const gemini::PartView*>;

/// The calls of a step and what can be taken for their results. It points into the Contents that it
/// was made from.
struct Step {
  Parts calls;
  Parts responses;
  std::vector<lint::Pair> pairs;
  size_t misnamed = 0;  ///< How many results have another name than their call.

  Step(const gemini::ContentView& model, Parts found);

  bool isComplete() const { return responses.size() == calls.size(); }
  /// Whether each result can belong to one call only.
  bool isSure() const;
  /// Each call's result, or nullptr.
  Parts inCallOrder() const;
};

}  // namespace strata::repair
