#include "interactions/step_view.h"

#include <algorithm>

#include "json/pointer.h"

namespace strata::interactions {
namespace {

void readField(json::Member member, StepView& view) {
  const std::string_view name = member.key.raw();
  const bool isCall = view.kind == StepKind::kFunctionCall || view.kind == StepKind::kToolCall;
  if (name == "content" || name == "summary") {
    view.content = member.value;
  } else if (name == "signature") {
    view.signature = member.value;
  } else if (name == (isCall ? "id" : "call_id")) {
    view.id = member.value;
  } else if (name == "name") {
    view.name = member.value;
  } else if (name == (isCall ? "arguments" : "result")) {
    view.payload = member.value;
  }
}

// Adds the function_results of a user_input. Returns whether it has anything else.
bool addResults(const StepView& input, int32_t index, std::vector<PlacedStep>& steps) {
  bool hasOther = input.content.size() == 0;
  int32_t block = 0;
  for (const json::Value content : contentOf(input.content)) {
    if (contentKindOf(content) == ContentKind::kFunctionResult) {
      steps.push_back({viewOf(content), index, block});
    } else {
      hasOther = true;
    }
    ++block;
  }
  return hasOther;
}

bool isOfModel(const StepView& view) { return view.isOfModel(); }
bool isResult(const StepView& view) { return view.isResult(); }

using IsOfRun = bool (*)(const StepView& view);

// Returns the index behind a run of steps of one kind, without the unknown ones at its end.
size_t runEnd(std::span<const PlacedStep> steps, size_t at, IsOfRun is) {
  size_t end = at;
  for (; at < steps.size() && (is(steps[at].view) || steps[at].view.isUnknown()); ++at) {
    if (is(steps[at].view)) end = at + 1;
  }
  return end;
}

size_t runBegin(std::span<const PlacedStep> steps, size_t at, IsOfRun is) {
  size_t begin = at;
  for (; at > 0 && (is(steps[at - 1].view) || steps[at - 1].view.isUnknown()); --at) {
    if (is(steps[at - 1].view)) begin = at - 1;
  }
  return begin;
}

// Returns the index of the next step that is known.
size_t skipUnknown(std::span<const PlacedStep> steps, size_t at) {
  while (at < steps.size() && steps[at].view.isUnknown()) ++at;
  return at;
}

bool isResultValue(json::Value result) {
  return result.isString() || result.isObject() || result.isArray();
}

bool isEmpty(json::Value text) { return text.isString() && text.raw().empty(); }

bool hasEmptyText(const StepView& view) {
  if (view.kind != StepKind::kUserInput && view.kind != StepKind::kModelOutput) return false;
  bool found = isEmpty(view.content);
  for (const json::Value content : contentOf(view.content))
    found = found || isEmpty(content.find("text"));
  return found;
}

}  // namespace

StepView viewOf(json::Value step) {
  StepView view;
  view.step = step;
  view.kind = stepKindOf(step);
  for (const json::Member member : json::members(step)) {
    if (!member.value.isNull()) readField(member, view);
  }
  return view;
}

std::string PlacedStep::path() const {
  std::string path;
  json::appendPointer(path, static_cast<size_t>(index));
  if (block < 0) return path;
  path += "/content";
  json::appendPointer(path, static_cast<size_t>(block));
  return path;
}

StepTurn turnAt(std::span<const PlacedStep> steps, size_t at) {
  StepTurn turn{at, at, at};
  if (at < steps.size() && steps[at].view.isUnknown()) return turn;
  turn.end = turn.results = runEnd(steps, at, isOfModel);
  const size_t next = skipUnknown(steps, turn.end);
  const size_t results = runEnd(steps, next, isResult);
  if (results == next) return turn;
  // Unknown steps between calls and results count as the model's.
  turn.end = turn.end == at ? at : next;
  turn.results = results;
  return turn;
}

StepTurn turnAround(std::span<const PlacedStep> steps, size_t at) {
  if (at < steps.size() && steps[at].view.isResult()) at = runBegin(steps, at, isResult);
  return turnAt(steps, runBegin(steps, at, isOfModel));
}

bool isContentList(json::Value input) {
  for (const json::Value each : json::elements(input)) {
    if (contentKindOf(each) == ContentKind::kUnknown || stepKindOf(each) != StepKind::kUnknown)
      return false;
  }
  return input.isArray() && input.size() > 0;
}

bool goBack(json::Value steps) {
  const std::vector<PlacedStep> placed = placedSteps(steps);
  const auto isThought = [](const PlacedStep& step) { return step.view.isThought(); };
  const auto isCall = [](const PlacedStep& step) { return step.view.isCall(); };
  const auto isSaid = [](const PlacedStep& step) {
    return step.view.isCall() || step.view.kind == StepKind::kModelOutput;
  };
  const auto thought = std::find_if(placed.begin(), placed.end(), isThought);
  const bool opensCalls = std::any_of(placed.begin(), placed.end(), isCall);
  if (thought != placed.end() && std::any_of(placed.begin(), thought, isSaid)) return false;
  if (thought != placed.end() && opensCalls && !thought->view.isSigned()) return false;
  return std::all_of(placed.begin(), placed.end(), [](const PlacedStep& step) {
    return step.view.isResult() ? isResultValue(step.view.payload) : !hasEmptyText(step.view);
  });
}

std::vector<PlacedStep> placedSteps(json::Value list) {
  std::vector<PlacedStep> steps;
  int32_t index = 0;
  for (const json::Value step : json::elements(list)) {
    const StepView view = viewOf(step);
    const bool isInput = view.kind == StepKind::kUserInput;
    if (!isInput || addResults(view, index, steps)) steps.push_back({view, index});
    ++index;
  }
  return steps;
}

}  // namespace strata::interactions
