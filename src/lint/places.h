// Finds where in the text of a body its findings are written.
#pragma once

#include <span>

#include "catalogue/finding.h"
#include "json/lenient.h"

namespace strata::lint {

/// Sets `begin` and `end` of findings about `body`, in bytes of its text: the value that a finding
/// names, or the container that lacks it; what Google's parser takes and JSON does not have; the
/// place of an error. Linear in the body, plus O(n log n) for n findings.
void findRanges(std::span<catalogue::Finding> findings, const json::LenientTape& body);

/// Sets `line` and `column` of findings that have a range in `text`, and converts their ranges and
/// those of `edits` from bytes to `unit`.
void countPlaces(std::span<catalogue::Finding> findings, std::span<catalogue::TextEdit> edits,
                 std::string_view text, json::TextUnit unit);

}  // namespace strata::lint
