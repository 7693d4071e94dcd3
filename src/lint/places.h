// Finds where in the text of a body its findings are written.
#pragma once

#include <span>

#include "catalogue/finding.h"
#include "json/lenient.h"

namespace strata::lint {

/// Sets `begin`, `end`, `line` and `column` of findings about `body`, in units of its text: the
/// value that a finding names, or the container that lacks it; what Google's parser takes and JSON
/// does not have; the place of an error. Linear in the body, plus O(n log n) for n findings.
void locateFindings(std::span<catalogue::Finding> findings, const json::LenientTape& body,
                    json::TextUnit unit);

}  // namespace strata::lint
