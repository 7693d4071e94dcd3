// Repairs a request body: lints it and applies one fix per finding, in a fixed order. Repairs only
// what is an error for the target model and backend and has exactly one possible correction.
#pragma once

#include <cstdint>
#include <string_view>

#include "catalogue/finding.h"
#include "lint/lint.h"
#include "repair/text_edits.h"

namespace strata::repair {

struct RepairOptions {
  /// Whether unsigned functionCalls of the current turn get the documented placeholder signature:
  /// https://ai.google.dev/gemini-api/docs/thought-signatures.
  bool dummySignatures = false;
  /// How many JSON values repair may read, which it counts again whenever it lints the body. Its
  /// time grows with this number. The body is then not repaired.
  uint64_t maxValues = UINT64_MAX;
};

/// The result of a repair. `findings` lists the repairs first, marked `repaired`, with the number
/// of their `fix` and with positions in the original body; then the findings that remain, with
/// positions in the repaired body.
struct RepairResult {
  Revision body;
  catalogue::Findings findings;
  size_t fixes = 0;  ///< How many fixes were applied: their numbers are 1, 2, …
  /// Whether more than `maxValues` would have been read. `body` is then the original, and
  /// `findings` are about it.
  bool exceeded = false;
  catalogue::Target target = {};  ///< What the findings are judged for: the model of the body.
};

/// Returns the repaired form of a body of generateContent or the Interactions API. A body without
/// errors is returned byte for byte, unless it has a warning that `isReason` names. Repairing twice
/// changes nothing. Of a body that only Google's parser takes (`json.lenient`), JSON is made.
/// Another body that is not JSON is returned unchanged with its `json.*` finding. `body` must
/// outlive the result. Each round of fixes costs one lint of the body; there are O(log n) rounds at
/// worst for n adjacent faults. More faults than a list of findings keeps are all repaired.
RepairResult repairRequest(std::string_view body, const lint::LintContext& context,
                           const RepairOptions& options = {});

/// Repairs the newest turns of a thread in the same way: `body` is JSON that has nothing but their
/// Contents, and `context.isTail` is set.
RepairResult repairTurns(std::string_view body, const lint::LintContext& context,
                         const RepairOptions& options = {});

/// Returns whether a finding is a reason to repair the body: an error, or a warning whose repair
/// means the same. A lone empty chunk behind functionCalls is joined to them, a lone surrogate
/// becomes U+FFFD, and what only Google's parser takes becomes JSON.
bool isReason(const catalogue::Finding& finding, const catalogue::Target& target);

/// Returns whether one of these findings is such a reason.
bool isWrong(const catalogue::Findings& findings, const catalogue::Target& target);

/// Returns whether repair has a fix for this rule.
/// tests/cpp/thread/conversation_properties_test.cpp compares the answer with the `fix` of the
/// rule's row in the catalogue.
bool hasFix(catalogue::Rule rule);

}  // namespace strata::repair
