// Finds for each finding of a lint the edits that repair makes for it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "repair/repair.h"

namespace strata::repair {

/// The edits that repair findings, sorted by their fix and then by place. A finding without edits
/// has the fix 0. Fixes that cannot be applied without each other have one number. The edits of two
/// numbers neither overlap nor touch.
using TextEdits = std::vector<catalogue::TextEdit>;

/// Returns the edits of a repair's own findings, whose `fix` it sets. They refer to
/// `repaired.body`.
TextEdits editsOf(RepairResult& repaired);

/// Returns the edits that a repair makes for the findings of `lintRequest`, which have byte ranges,
/// and sets their `fix`. `repaired` is the result of that repair, to which they refer; it is not
/// made if the body has no errors. All edits together make the repaired body: what a repair finds
/// only behind another one belongs to the finding at its place.
TextEdits findEdits(catalogue::Findings& findings, std::string_view body,
                    const lint::LintContext& context, const RepairOptions& options,
                    std::optional<RepairResult>& repaired);

}  // namespace strata::repair
