// Reads a step into an index of its fields.
#pragma once

#include <cstdint>
#include <span>
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
  /// Returns whether it may stand anywhere: its type is newer than this package, or has no shape.
  bool isUnknown() const { return kind == StepKind::kUnknown; }
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

/// The steps of the model up to the user, and the results directly behind them, as indices. Unknown
/// steps between them belong to the turn.
struct StepTurn {
  size_t begin = 0;
  size_t end = 0;      ///< Behind the steps of the model.
  size_t results = 0;  ///< Behind the results.
};

/// Returns the turn whose first step is `at`. It is empty for a user_input and an unknown step.
StepTurn turnAt(std::span<const PlacedStep> steps, size_t at);
/// Returns the turn that has the step `at`, which is the model's or a result.
StepTurn turnAround(std::span<const PlacedStep> steps, size_t at);

/// Returns whether the API takes back the steps of one turn. It sends some that it refuses: a
/// thought behind an output, an unsigned one that opens calls, an empty text.
bool goBack(json::Value steps);

/// Returns whether an input is a list of nothing but Content: that of one user_input.
bool isContentList(json::Value input);

/// Returns the elements of a list that may be a single object or, for texts, absent.
inline json::ElementRange contentOf(json::Value listOrObject) {
  return json::ElementRange::orSelf(listOrObject);
}

}  // namespace strata::interactions
