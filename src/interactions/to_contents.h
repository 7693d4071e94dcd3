// Converts steps into Contents: a run of the model's steps is one Content, and so is a run of
// results, and each user_input.
//
// The signature of a thought goes to the item behind it, and that of the last signed thought before
// the first call to this call, whatever stands between them. A first thought whose signature a
// later one repeats is the opening copy that to_steps.h writes, unless one of them stands before a
// call.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interactions/convert.h"
#include "interactions/step_view.h"

namespace strata::interactions {

/// Converts a list of steps, or the text of a user_input. The findings have places below `root`,
/// such as "/input".
Converted contentsOf(json::Value steps, std::string_view root = "/input");

}  // namespace strata::interactions
