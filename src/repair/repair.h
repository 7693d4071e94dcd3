// Why this file exists: repair is lint and then one function a finding: only what is an error for
// this model and backend, only what can be mended without guessing, in one fixed order.
#pragma once

#include <cstdint>
#include <string_view>

#include "lint/lint.h"
#include "repair/text_edits.h"

namespace strata::repair {

struct RepairOptions {
  /// Whether unsigned steps of the current turn get the documented placeholder.
  bool dummySignatures = false;
};

/// What became of a body. `findings` are the mends, marked `repaired` and with places in the given
/// body; then what is still wrong, with places in the mended one.
struct Repaired {
  Revision body;
  catalogue::Findings findings;
};

/// Mends a generateContent body, or, with `context.isTail`, the newest turns of a thread. A body
/// without errors comes back as it is; mending twice changes nothing. `body` must outlive the
/// result.
Repaired repairRequest(std::string_view body, const lint::LintContext& context,
                       const RepairOptions& options = {});

/// Whether repair knows a mend for this rule. tests/cpp/repair/repair_test.cpp compares it with
/// the rows of the catalogue that name a fix.
bool hasFix(catalogue::Rule rule);

}  // namespace strata::repair
