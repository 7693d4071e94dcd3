// Reads a step into an index of its fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interactions/shapes.h"
#include "json/value.h"

namespace strata::interactions {

/// One step, or a function_result that stands in a user_input. A Value is absent if its field is
/// missing. It is valid as long as the tape.
struct StepView {
  json::Value step;
  StepKind kind = StepKind::kUnknown;
  json::Value content;  ///< Of user_input and model_output; the summary of a thought.
  json::Value signature;
  json::Value id;  ///< The id of a call, or the call_id of a result.
  json::Value name;
  json::Value payload;  ///< The arguments of a call, or the result.

  bool isOfModel() const { return interactions::isOfModel(kind); }
  bool isCall() const { return kind == StepKind::kFunctionCall; }
  bool isResult() const { return kind == StepKind::kFunctionResult; }
  bool isThought() const { return kind == StepKind::kThought; }
  bool isOfTool() const { return kind == StepKind::kToolCall || kind == StepKind::kToolResult; }
  bool isSigned() const { return signature.isString() && !signature.raw().empty(); }
};

/// Returns the view of a step. Any JSON value is allowed. O(members).
StepView viewOf(json::Value step);

/// The steps of an `input`, with the places of each.
struct PlacedStep {
  StepView view;
  /// The index in the input, and for a function_result in a user_input its index in the content,
  /// or -1.
  int32_t index = 0;
  int32_t block = -1;

  /// Returns the pointer below the input, such as "/2/content/0".
  std::string path() const;
};

/// Returns all steps of a list. A user_input of nothing but function_results is those results; one
/// that has other Content, too, follows its results.
std::vector<PlacedStep> placedSteps(json::Value list);

/// Returns the elements of a list that may be a single object or, for texts, absent.
inline json::ElementRange contentOf(json::Value listOrObject) {
  return json::ElementRange::orSelf(listOrObject);
}

}  // namespace strata::interactions
