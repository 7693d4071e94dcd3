// Finds strings that were cut inside a character: escapes of a surrogate without its pair.
#pragma once

#include "catalogue/finding.h"
#include "json/value.h"

namespace strata::lint {

/// Returns whether a string or a key in `value` has a lone surrogate. O(nodes), apart from strings
/// with escapes, which are read.
bool hasLoneSurrogates(json::Value value);

/// Appends `text.lone_surrogate` for the first 20 strings of `value` with one, and members whose
/// key or string has one. Each finding is a copy of `location`, the place of `value`, with the rest
/// of the path appended.
void checkSurrogates(json::Value value, const catalogue::Finding& location,
                     catalogue::Findings& findings);
/// Does the same for a member of the object at `location`, and for its key.
void checkSurrogates(json::Member member, const catalogue::Finding& location,
                     catalogue::Findings& findings);

}  // namespace strata::lint
