// Validates the order of the steps of a stateless input: thoughts open the model's turns, calls
// come before their results, and every call has one.
//
//     input    := turn+
//     turn     := user_input+ | model | function_result+
//     model    := thought(signed) (thought | built-in step | model_output)* function_call*
//               | model_output+
//
// Derived from the refusals that the catalogue cites for each rule.
#pragma once

#include <span>

#include "catalogue/finding.h"
#include "interactions/step_view.h"

namespace strata::lint {

/// The steps of one turn of the model, and the results directly behind it. Unknown steps may stand
/// among both.
struct StepRun {
  std::span<const interactions::PlacedStep> model;
  std::span<const interactions::PlacedStep> results;
};

/// The call that a result answers.
struct AnsweredCall {
  int32_t call = -1;      ///< The index in `run.model`; -1 if there is none.
  bool repeated = false;  ///< Another result answers it, too.
};

/// Returns for each step of `run.results` the call that it answers: by call_id, otherwise by name,
/// then by position. O(n log n).
std::vector<AnsweredCall> pairResults(const StepRun& run);

/// Appends findings about the order of `steps`, with paths below `/input`. `isContinued`: the
/// request continues a stored interaction, which may hold the calls of the first results. O(n log
/// n) in the steps.
void checkStepOrder(std::span<const interactions::PlacedStep> steps, bool isContinued,
                    const catalogue::Target& target, catalogue::Findings& findings);

}  // namespace strata::lint
