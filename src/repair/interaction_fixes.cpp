#include "repair/interaction_fixes.h"

#include <algorithm>

#include "base/ascii.h"
#include "interactions/step_view.h"
#include "json/pointer.h"
#include "json/string.h"
#include "lint/signature.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
using interactions::PlacedStep;
using interactions::StepKind;
using interactions::StepTurn;
using interactions::turnAround;

// Results are compared with this many steps, so that a repair stays linear.
constexpr size_t kMostSteps = 256;

size_t endOf(json::Value value) { return value.offset() + value.bytes().size(); }

// A piece of the bytes from the begin of one value to the end of another.
Piece copyOf(json::Value first, json::Value last) { return {{}, first.offset(), endOf(last)}; }

std::string quoted(std::string_view text) {
  std::string out;
  json::appendQuoted(out, text);
  return out;
}

// Reads the number behind `name` in a path, and moves `path` behind it. Returns -1 if there is
// none.
int32_t takeIndex(std::string_view& path, std::string_view name) {
  if (!path.starts_with(name)) return -1;
  path.remove_prefix(name.size());
  int32_t index = -1;
  for (size_t digits = 0; digits < 9 && !path.empty() && ascii::isDigit(path[0]); ++digits) {
    index = std::max(index, 0) * 10 + (path[0] - '0');
    path.remove_prefix(1);
  }
  return index;
}

// Returns the number of the step, or of the result in a user_input, that a finding is about, or
// SIZE_MAX.
size_t stepAt(const Snapshot& snapshot, const Finding& finding) {
  std::string_view path = finding.path;
  const int32_t index = takeIndex(path, "/input/");
  const int32_t block = takeIndex(path, "/content/");
  const std::vector<PlacedStep>& steps = snapshot.steps();
  auto step = std::lower_bound(steps.begin(), steps.end(), index,
                               [](const PlacedStep& each, int32_t at) { return each.index < at; });
  size_t found = SIZE_MAX;
  for (; step != steps.end() && step->index == index; ++step) {
    if (step->block == block) return static_cast<size_t>(step - steps.begin());
    if (step->block < 0) found = static_cast<size_t>(step - steps.begin());
  }
  return found;
}

json::Value valueOf(const Snapshot& snapshot, const Finding& finding) {
  return json::valueAt(snapshot.request, finding.path);
}

// Returns a list of text Content for the Parts of a turn, or "" if a Part is something else.
std::string contentOfParts(json::Value parts) {
  std::string list;
  for (const json::Value part : json::ElementRange::orSelf(parts)) {
    const json::Value text = part.find("text");
    if (!text.isString() || part.size() != 1) return {};
    list +=
        (list.empty() ? "" : ",") + (R"({"type":"text","text":)" + std::string(text.bytes()) + "}");
  }
  return list.empty() ? "" : "[" + list + "]";
}

// Writes a turn with a role as a step. Returns false if that is not certain.
bool addStep(json::Value turn, std::vector<Piece>& pieces) {
  const json::Value role = turn.find("role");
  const bool isUser = role.equals("user");
  if (!isUser && !role.equals("model") && !role.equals("assistant")) return false;
  const json::Value content = turn.find("content");
  const std::string parts = content ? std::string() : contentOfParts(turn.find("parts"));
  if (turn.size() != 2 || (!content && parts.empty())) return false;
  const std::string_view type = isUser ? "user_input" : "model_output";
  pieces.push_back(newText(R"({"type":")" + std::string(type) + R"(","content":)"));
  pieces.push_back(content ? repair::copyOf(content) : newText(parts));
  pieces.push_back(newText("}"));
  return true;
}

bool isCall(const PlacedStep& step) { return step.view.isCall(); }
// A result that is a step of its own, not in a user_input.
bool isOwnResult(const PlacedStep& step) { return step.view.isResult() && step.block < 0; }

using IsOfGroup = bool (*)(const PlacedStep& step);

// Return where the steps of one kind begin that end before `at`, and where those end that begin
// there.
size_t groupBegin(const std::vector<PlacedStep>& steps, size_t at, IsOfGroup is) {
  while (at > 0 && is(steps[at - 1])) --at;
  return at;
}
size_t groupEnd(const std::vector<PlacedStep>& steps, size_t at, IsOfGroup is) {
  while (at < steps.size() && is(steps[at])) ++at;
  return at;
}

bool isBlank(json::Value value) { return !value.isString() || value.raw().empty(); }

// Returns the call of a turn that a result at `at` answers by its id, or nullptr.
const PlacedStep* callOf(const std::vector<PlacedStep>& steps, size_t at, json::Value id) {
  const StepTurn turn = turnAround(steps, at);
  if (turn.results - turn.begin > kMostSteps) return nullptr;
  for (size_t i = turn.begin; i < turn.end; ++i) {
    if (steps[i].view.isCall() && steps[i].view.id.text() == id.text()) return &steps[i];
  }
  return nullptr;
}

// Returns the only call of a turn that no result answers and that the one at `at` may, or nullptr.
const PlacedStep* onlyOpenCall(const std::vector<PlacedStep>& steps, size_t at) {
  const StepTurn turn = turnAround(steps, at);
  if (turn.results - turn.begin > kMostSteps) return nullptr;
  const PlacedStep* only = nullptr;
  for (size_t i = turn.begin; i < turn.end; ++i) {
    const interactions::StepView& call = steps[i].view;
    const bool isAnswered = std::any_of(
        steps.begin() + static_cast<ptrdiff_t>(turn.end),
        steps.begin() + static_cast<ptrdiff_t>(turn.results),
        [&](const PlacedStep& result) { return result.view.id.text() == call.id.text(); });
    const json::Value name = steps[at].view.name;
    const bool isOther = !isBlank(name) && name.text() != call.name.text();
    if (!call.isCall() || isBlank(call.id) || isAnswered || isOther) continue;
    if (only != nullptr) return nullptr;
    only = &steps[i];
  }
  return only;
}

}  // namespace

Changes makeSteps(const Snapshot& snapshot, const Finding& finding) {
  const json::Value input = valueOf(snapshot, finding);
  std::vector<Piece> pieces;
  for (const json::Value turn : json::elements(input)) {
    pieces.push_back(newText(pieces.empty() ? "[" : ","));
    if (!addStep(turn, pieces)) return {};
  }
  pieces.push_back(newText("]"));
  return changesOf(replacement(input, std::move(pieces)));
}

Changes wrapContent(const Snapshot& snapshot, const Finding& finding) {
  return changesOf(
      wrapping(valueOf(snapshot, finding), R"([{"type":"user_input","content":)", "}]"));
}

Changes makeInstructionText(const Snapshot& snapshot, const Finding& finding) {
  const json::Value instruction = valueOf(snapshot, finding);
  std::string text;
  size_t count = 0;
  for (const json::Value part : json::ElementRange::orSelf(instruction.find("parts"))) {
    const json::Value own = part.find("text");
    if (!own.isString() || part.size() != 1) return {};
    text.append(count++ > 0 ? "\\n" : "").append(own.raw());
  }
  if (count == 0) return {};
  return changesOf(replacement(instruction, newText("\"" + text + "\"")));
}

Changes writeLowerCase(const Snapshot& snapshot, const Finding& finding) {
  return changesOf(replacement(valueOf(snapshot, finding), newText(quoted(finding.arg2))));
}

Changes removeDataPrefix(const Snapshot& snapshot, const Finding& finding) {
  constexpr std::string_view kData = "data:";
  constexpr std::string_view kBase64 = ";base64,";
  const json::Value data = valueOf(snapshot, finding);
  const size_t at = data.raw().find(kBase64);
  if (at == std::string_view::npos) return {};
  // The quotes stay.
  const size_t begin = data.offset() + 1;
  Changes changes = changesOf(Edit{begin, begin + at + kBase64.size()});
  const json::Value content =
      json::valueAt(snapshot.request, finding.path.substr(0, finding.path.rfind('/')));
  const std::string_view type = data.raw().substr(kData.size(), at - kData.size());
  if (!content.find("mime_type") && !type.empty() && data.raw().starts_with(kData))
    changes.push_back(setField(content, "mime_type", newText(quoted(type))));
  return changes;
}

Changes dropEmptyText(const Snapshot& snapshot, const Finding& finding) {
  const json::Place text = json::locate(snapshot.request, finding.path);
  const size_t last = finding.path.rfind('/');
  const std::string ofContent = finding.path.substr(0, last);
  const json::Value input = snapshot.request.find("input");
  // The empty text of a Content among others.
  const json::Place content = json::locate(snapshot.request, ofContent);
  if (content.container.isArray() && content.container != input && content.container.size() > 1)
    return changesOf(removal(content.container, content.item));
  // Otherwise the step says nothing.
  const size_t at = stepAt(snapshot, finding);
  if (!text.item || at == SIZE_MAX || input.size() < 2) return {};
  const PlacedStep& step = snapshot.steps()[at];
  const bool isText =
      step.view.kind == StepKind::kUserInput || step.view.kind == StepKind::kModelOutput;
  if (!isText) return {};
  return changesOf(removal(input, step.view.step));
}

Changes wrapResult(const Snapshot& snapshot, const Finding& finding) {
  const json::Value result = valueOf(snapshot, finding);
  if (!result) return {};
  return changesOf(wrapping(result, R"({"result":)", "}"));
}

Changes setCallId(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  const PlacedStep* call = at == SIZE_MAX ? nullptr : onlyOpenCall(snapshot.steps(), at);
  if (call == nullptr) return {};
  return changesOf(
      setField(snapshot.steps()[at].view.step, "call_id", repair::copyOf(call->view.id)));
}

Changes setResultName(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const json::Value id = steps[at].view.id;
  const PlacedStep* call = isBlank(id) ? onlyOpenCall(steps, at) : callOf(steps, at, id);
  if (call == nullptr || isBlank(call->view.name)) return {};
  return changesOf(setField(steps[at].view.step, "name", repair::copyOf(call->view.name)));
}

Changes dropSameResult(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const PlacedStep& repeated = steps[at];
  const size_t first = at - std::min(at, kMostSteps);
  for (size_t i = at; i > first && steps[i - 1].view.isResult(); --i) {
    if (steps[i - 1].view.step.bytes() != repeated.view.step.bytes()) continue;
    const json::Value list =
        repeated.block < 0
            ? snapshot.request.find("input")
            : json::valueAt(snapshot.request, finding.path.substr(0, finding.path.rfind('/')));
    if (list.size() < 2) return {};
    return changesOf(removal(list, repeated.view.step));
  }
  return {};
}

Changes moveResultsBehindCalls(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const size_t begin = groupBegin(steps, at, isOwnResult);
  if (begin == at) return {};
  // The first such call moves all results of a loop, so that a repair stays linear.
  const size_t before = groupBegin(steps, begin, isCall);
  if (before < begin && before > 0 && isOwnResult(steps[before - 1])) return {};
  std::vector<Piece> calls;
  std::vector<Piece> results;
  size_t end = begin;
  for (size_t first = begin; first < steps.size();) {
    const size_t behind = groupEnd(steps, first, isOwnResult);
    const size_t next = groupEnd(steps, behind, isCall);
    if (next == behind) break;
    const auto addGroup = [&](std::vector<Piece>& pieces, size_t from, size_t to) {
      if (from == to) return;
      if (!pieces.empty()) pieces.push_back(newText(","));
      pieces.push_back(copyOf(steps[from].view.step, steps[to - 1].view.step));
    };
    addGroup(results, first, behind);
    addGroup(calls, behind, next);
    first = end = next;
  }
  calls.push_back(newText(","));
  calls.insert(calls.end(), results.begin(), results.end());
  return changesOf(
      Edit{steps[begin].view.step.offset(), endOf(steps[end - 1].view.step), std::move(calls)});
}

Changes moveThoughtFirst(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const StepTurn turn = turnAround(steps, at);
  if (turn.begin == at) return {};
  std::vector<Piece> pieces;
  pieces.push_back(repair::copyOf(steps[at].view.step));
  pieces.push_back(newText(","));
  // Behind a call, its signature is another call's, which it stays: two thoughts may have one.
  const auto begin = steps.begin() + static_cast<ptrdiff_t>(turn.begin);
  if (std::any_of(begin, steps.begin() + static_cast<ptrdiff_t>(at), isCall)) {
    const size_t offset = begin->view.step.offset();
    return changesOf(Edit{offset, offset, std::move(pieces)});
  }
  pieces.push_back(copyOf(steps[turn.begin].view.step, steps[at - 1].view.step));
  return changesOf(
      Edit{steps[turn.begin].view.step.offset(), endOf(steps[at].view.step), std::move(pieces)});
}

Changes signThought(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const StepTurn turn = turnAround(steps, at);
  // Two thoughts of a turn may have one signature.
  for (size_t i = at + 1; i < turn.end; ++i) {
    const interactions::StepView& later = steps[i].view;
    if (later.isThought() && later.isSigned())
      return changesOf(setField(steps[at].view.step, "signature", repair::copyOf(later.signature)));
  }
  if (!snapshot.placeholders) return {};
  return changesOf(setField(steps[at].view.step, "signature", newText(quoted(lint::kPlaceholder))));
}

Changes insertThought(const Snapshot& snapshot, const Finding& finding) {
  const size_t at = stepAt(snapshot, finding);
  if (at == SIZE_MAX || !snapshot.placeholders) return {};
  const std::vector<PlacedStep>& steps = snapshot.steps();
  const size_t begin = steps[turnAround(steps, at).begin].view.step.offset();
  std::vector<Piece> pieces;
  pieces.push_back(
      newText(R"({"type":"thought","signature":)" + quoted(lint::kPlaceholder) + "},"));
  return changesOf(Edit{begin, begin, std::move(pieces)});
}

std::string originalPath(json::Value root, const std::string& path, const Revision& body,
                         json::Value original) {
  // The deepest value on the path, and what is left of the path.
  size_t known = path.size();
  json::Value value = json::valueAt(root, path);
  while (!value && known > 0) {
    known = path.rfind('/', known - 1);
    value = json::valueAt(root, path.substr(0, known));
  }
  const size_t origin = body.origin(value.offset());
  if (origin == Revision::npos) return path;
  std::string found;
  for (json::Value at = original; at && at.offset() != origin;) {
    json::Value next;
    std::string pointer;
    size_t index = 0;
    for (const json::Value each : json::elements(at)) {
      if (each.offset() <= origin) json::appendPointer(pointer = "", index);
      if (each.offset() <= origin) next = each;
      ++index;
    }
    for (const json::Member member : json::members(at)) {
      if (member.value.offset() <= origin) json::appendPointer(pointer = "", member.key.text());
      if (member.value.offset() <= origin) next = member.value;
    }
    if (!next) break;
    found += pointer;
    at = next;
  }
  return found + path.substr(known);
}

}  // namespace strata::repair
