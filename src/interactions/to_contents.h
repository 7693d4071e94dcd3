// Converts steps into Contents: a run of the model's steps is one Content, and so is a run of
// results, and each user_input.
//
// The signature of a thought goes to the item behind it, and that of the last signed thought before
// the first call to this call, whatever stands between them. A first thought whose signature a
// later one repeats is the opening copy that to_steps.h writes, unless one of them stands before a
// call.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "interactions/convert.h"

namespace strata::interactions {

/// What becomes of a call of the current turn that has no signature, if the model needs one.
enum class UnsignedCalls : uint8_t {
  kKeep,         ///< It is converted as it is: lint finds it.
  kReport,       ///< The same, with a `convert.unsigned`.
  kPlaceholder,  ///< It gets the documented placeholder.
};

/// Converts an input: a list of steps or of Content, one Content, or the text of a user_input. The
/// findings have places below `root`, such as "/input".
Converted contentsOf(json::Value input, std::string_view root = "/input",
                     UnsignedCalls unsignedCalls = UnsignedCalls::kKeep);

/// The steps of one Content: the elements [begin, end) of their list.
struct StepsTurn {
  std::string content;
  size_t begin = 0;
  size_t end = 0;
  bool isOfModel = false;
  bool isWhole = true;  ///< Whether no step is in another turn, too: a user_input with results.
};

/// Converts a list of steps like `contentsOf`, and says which steps each Content is. Steps that no
/// Content can say, such as those of Google's tools, belong to a turn of their side before or
/// behind them. Error: `field.invalid` where there is none.
Result<std::vector<StepsTurn>> turnsOf(json::Value steps, std::string_view root,
                                       catalogue::Findings& findings);

}  // namespace strata::interactions
