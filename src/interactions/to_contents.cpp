#include "interactions/to_contents.h"

#include <span>
#include <utility>

#include "interactions/media.h"
#include "interactions/results.h"
#include "interactions/step_view.h"
#include "interactions/wire.h"
#include "json/pointer.h"
#include "json/writer.h"

namespace strata::interactions {
namespace {

// Which side says the steps of a group. Unknown steps may be of either.
enum class Side : uint8_t { kAny, kUser, kModel };

// Steps that belong together, and their Content, or "".
struct Group {
  std::string content;
  Side side = Side::kAny;
  size_t begin = 0;
  size_t end = 0;
};

class StepsToContents {
 public:
  StepsToContents(catalogue::Findings& findings, std::string_view root,
                  UnsignedCalls unsignedCalls = UnsignedCalls::kKeep)
      : losses_(findings, kToGenerateContent), root_(root), unsignedCalls_(unsignedCalls) {}

  std::vector<Group> convert(std::span<const PlacedStep> steps) {
    for (const PlacedStep& step : steps) {
      if (step.view.kind == StepKind::kUserInput) opening_ = &step;
    }
    for (size_t at = 0; at < steps.size();) {
      const StepTurn turn = turnAt(steps, at);
      if (turn.results == at) {
        const bool isUnknown = steps[at].view.isUnknown();
        addInput(open(isUnknown ? Side::kAny : Side::kUser, steps.subspan(at, 1)), steps[at]);
        ++at;
        continue;
      }
      const auto model = steps.subspan(at, turn.end - at);
      const auto results = steps.subspan(turn.end, turn.results - turn.end);
      if (!model.empty()) addModel(open(Side::kModel, model), model);
      if (!results.empty()) addResults(open(Side::kUser, results), results);
      at = turn.results;
    }
    return std::move(groups_);
  }

  // Returns a Part of a Content, or "".
  std::string partOf(json::Value content, const std::string& path, std::string_view more) {
    const json::Value text = content.find("text");
    std::string part;
    if (contentKindOf(content) == ContentKind::kText) {
      if (!text.isString()) losses_.lost(path, "A text that is none");
      if (!text.isString() || text.raw().empty()) return {};
      part = R"({"text":)" + std::string(text.bytes());
      losses_.lostMembers(path, content, "type text");
    } else if (isMedia(contentKindOf(content))) {
      const std::string members = partOfMedia(content, path, losses_);
      if (!members.empty()) part = "{" + members;
    }
    if (part.empty()) {
      const std::string type = content.find("type").text();
      losses_.lost(path, "Content of the type " + (type.empty() ? "(none)" : type));
      return {};
    }
    return part.append(more).append("}");
  }

 private:
  Group& open(Side side, std::span<const PlacedStep> steps) {
    return groups_.emplace_back(Group{"", side, static_cast<size_t>(steps.front().index),
                                      static_cast<size_t>(steps.back().index) + 1});
  }

  static void fill(Group& group, std::string_view role, const std::string& parts) {
    if (parts.empty()) return;
    group.content = joined({R"({"role":")", role, R"(","parts":[)", parts, "]}"});
  }

  std::string pathOf(const PlacedStep& step) const { return std::string(root_) + step.path(); }

  // Reports the fields that are not converted.
  void reportFields(const StepView& view, const std::string& path) {
    if (view.isResult())
      return losses_.lostMembers(path, view.step, "type call_id name result is_error");
    const NameList fields = fieldsOf(view.kind);
    if (!fields.empty()) losses_.lostMembers(path, view.step, fields);
  }

  void loseStep(const PlacedStep& step) {
    losses_.lost(pathOf(step), "The step " + step.view.step.find("type").text());
  }

  void addInput(Group& group, const PlacedStep& step) {
    const std::string path = pathOf(step);
    if (step.view.kind != StepKind::kUserInput) return loseStep(step);
    reportFields(step.view, path);
    const json::Value content = step.view.content;
    std::string parts;
    if (content.isString() && !content.raw().empty())
      parts = joined({R"({"text":)", content.bytes(), "}"});
    for (const json::Value each : contentOf(content)) {
      if (contentKindOf(each) == ContentKind::kFunctionResult) continue;
      appendElement(parts, partOf(each, path, ""));
    }
    if (parts.empty()) losses_.changed(path, "An empty user_input", "nothing");
    fill(group, "user", parts);
  }

  void addResults(Group& group, std::span<const PlacedStep> results) {
    std::string parts;
    for (const PlacedStep& step : results) {
      const StepView& view = step.view;
      if (!view.isResult()) {
        loseStep(step);
        continue;
      }
      const std::string path = pathOf(step);
      reportFields(view, path);
      const bool isError = view.step.find("is_error").isTrue();
      const Response response = responseOf(view.payload, isError, path, losses_);
      json::Writer out;
      out.open('{').key("functionResponse").open('{');
      if (view.id.isString() && !view.id.raw().empty()) out.key("id").raw(view.id.bytes());
      out.key("name").string(view.name.text());
      out.key("response").raw(response.response);
      if (!response.parts.empty()) out.key("parts").raw(joined({"[", response.parts, "]"}));
      out.close('}').close('}');
      appendElement(parts, out.text());
    }
    fill(group, "user", parts);
  }

  void addModel(Group& group, std::span<const PlacedStep> run) {
    Turn turn;
    size_t call = 0;
    while (call < run.size() && !run[call].view.isCall()) ++call;
    // The last signature before the first call, which that call gets.
    size_t opening = call < run.size() ? call : 0;
    while (opening > 0 && !isSignedThought(run[opening - 1])) --opening;
    if (opening > 1 && opening < call)
      losses_.changed(pathOf(run[opening - 1]), "A signature before an output",
                      "that of the first functionCall");
    const bool isCopied = opening != 1 && isCopy(run);
    if (opening == 0 && call < run.size()) signCall(run[call], turn);
    for (size_t i = 0; i < run.size(); ++i) {
      turn.isOfCall = opening > 0 && i + 1 == opening;
      turn.isCopy = isCopied && i == 0;
      addModelStep(run[i], turn);
    }
    flush(turn);
    fill(group, "model", turn.parts);
  }

  static bool isSignedThought(const PlacedStep& step) {
    return step.view.isThought() && step.view.isSigned();
  }

  static bool hasSummary(const PlacedStep& thought) {
    return thought.view.content.size() > 0 || thought.view.content.isString();
  }

  // Returns whether the first thought of a run is the copy of a later one that opens the run.
  // Thoughts before calls are not, unless only the later one has a summary: parallel calls may have
  // the same signature.
  static bool isCopy(std::span<const PlacedStep> run) {
    if (!isSignedThought(run[0])) return false;
    bool repeats = false;
    for (size_t i = 0; i < run.size(); ++i) {
      if (!isSignedThought(run[i]) || run[i].view.signature.raw() != run[0].view.signature.raw())
        continue;
      const bool isSummary = i > 0 && hasSummary(run[i]) && !hasSummary(run[0]);
      if (i + 1 < run.size() && run[i + 1].view.isCall() && !isSummary) return false;
      repeats = repeats || i > 0;
    }
    return repeats;
  }

  struct Turn {
    std::string parts;
    std::string pending;  // a signature for the next item
    std::string ofCall;   // that of the first call
    bool isOfCall = false;
    bool isCopy = false;
    bool hasOutput = false;  // the last step was a model_output
  };

  // Says what becomes of a first call without a signature.
  void signCall(const PlacedStep& call, Turn& turn) {
    if (call.view.isSigned() || unsignedCalls_ == UnsignedCalls::kKeep) return;
    if (opening_ != nullptr && &call < opening_) return;
    if (unsignedCalls_ == UnsignedCalls::kReport) return losses_.unsignedCalls(pathOf(call));
    turn.ofCall = gemini::kPlaceholderSignature;
    losses_.changed(pathOf(call), "An unsigned function_call",
                    "one with the placeholder signature");
  }

  // Writes a signature that no item is behind.
  void flush(Turn& turn) {
    if (turn.pending.empty()) return;
    appendElement(turn.parts, joined({R"({"text":"","thoughtSignature":")", turn.pending, "\"}"}));
    turn.pending.clear();
  }

  static std::string takeSignature(std::string& signature) {
    if (signature.empty()) return {};
    std::string member = joined({R"(,"thoughtSignature":")", signature, "\""});
    signature.clear();
    return member;
  }

  void addModelStep(const PlacedStep& step, Turn& turn) {
    const StepView& view = step.view;
    const std::string path = pathOf(step);
    reportFields(view, path);
    const bool wasOutput = std::exchange(turn.hasOutput, view.kind == StepKind::kModelOutput);
    if (view.isThought()) return addThought(view, path, turn);
    if (view.isCall()) return addCall(view, path, turn);
    if (view.kind != StepKind::kModelOutput) return loseStep(step);
    if (wasOutput) losses_.changed(path, "A model_output behind another one", "the same step");
    if (view.step.find("error").isObject()) losses_.lost(path, "error");
    if (view.content.isString() && !view.content.raw().empty()) {
      appendElement(turn.parts, R"({"text":)" + std::string(view.content.bytes()) +
                                    takeSignature(turn.pending) + "}");
    }
    for (const json::Value content : contentOf(view.content)) {
      const bool isPending = !turn.pending.empty();
      const std::string part = partOf(content, path, "");
      if (part.empty()) continue;
      appendElement(turn.parts, part.substr(0, part.size() - 1) +
                                    (isPending ? takeSignature(turn.pending) : "") + "}");
    }
  }

  void addThought(const StepView& view, const std::string& path, Turn& turn) {
    const std::string signature(view.isSigned() ? view.signature.raw() : std::string_view());
    if (!signature.empty()) flush(turn);
    for (const json::Value content : contentOf(view.content)) {
      appendElement(turn.parts, partOf(content, path, R"(,"thought":true)"));
    }
    if (view.content.isString() && !view.content.raw().empty()) {
      appendElement(turn.parts,
                    joined({R"({"text":)", view.content.bytes(), R"(,"thought":true})"}));
    }
    if (signature.empty() || turn.isCopy) return;
    (turn.isOfCall ? turn.ofCall : turn.pending) = signature;
  }

  void addCall(const StepView& view, const std::string& path, Turn& turn) {
    json::Writer out;
    out.open('{').key("functionCall").open('{');
    if (view.id.isString() && !view.id.raw().empty()) out.key("id").raw(view.id.bytes());
    out.key("name").string(view.name.text());
    out.key("args").raw(argumentsOf(view.payload, path, losses_));
    out.close('}');
    std::string signature = takeSignature(turn.ofCall);
    if (signature.empty()) signature = takeSignature(turn.pending);
    std::string own = view.isSigned() ? std::string(view.signature.raw()) : std::string();
    own = takeSignature(own);
    if (!own.empty() && signature.empty())
      losses_.changed(path, "A signature on a function_call", "one on a thought before it");
    if (!own.empty() && !signature.empty() && own != signature)
      losses_.lost(path, "A signature beside that of the thought");
    if (signature.empty()) signature = std::move(own);
    appendElement(turn.parts, out.take() + signature + "}");
  }

  Losses losses_;
  std::string_view root_;
  UnsignedCalls unsignedCalls_;
  const PlacedStep* opening_ = nullptr;  // The last user_input.
  std::vector<Group> groups_;
};

// Gives the steps of a group without a Content to the one before it or behind it. Returns whether
// one of them can take them.
bool giveAway(const Group& group, std::vector<StepsTurn>& turns, Group* next) {
  const auto takes = [&](bool isOfModel) {
    return group.side == Side::kAny || (group.side == Side::kModel) == isOfModel;
  };
  if (!turns.empty() && takes(turns.back().isOfModel)) {
    turns.back().end = group.end;
    return true;
  }
  if (next == nullptr || (next->side != Side::kAny && !takes(next->side == Side::kModel)))
    return false;
  next->begin = group.begin;
  if (next->side == Side::kAny) next->side = group.side;
  return true;
}

}  // namespace

Converted contentsOf(json::Value input, std::string_view root, UnsignedCalls unsignedCalls) {
  Converted converted;
  StepsToContents writer(converted.findings, root, unsignedCalls);
  std::string list;
  std::string parts;
  if (isTurnList(input)) {
    Losses(converted.findings, kToGenerateContent).refused(root, "A list of turns with roles");
  } else if (isContentList(input) || input.isObject()) {
    size_t index = 0;
    for (const json::Value content : contentOf(input)) {
      const std::string place = input.isObject() ? "" : "/" + std::to_string(index++);
      appendElement(parts, writer.partOf(content, std::string(root) + place, ""));
    }
  } else if (input.isArray()) {
    for (const Group& group : writer.convert(placedSteps(input)))
      appendElement(list, group.content);
  } else if (input.isString() && !input.raw().empty()) {
    parts = joined({R"({"text":)", input.bytes(), "}"});
  }
  if (!parts.empty()) list = joined({R"({"role":"user","parts":[)", parts, "]}"});
  converted.json = joined({"[", list, "]"});
  return converted;
}

Result<std::vector<StepsTurn>> turnsOf(json::Value steps, std::string_view root,
                                       catalogue::Findings& findings) {
  std::vector<Group> groups = StepsToContents(findings, root).convert(placedSteps(steps));
  std::vector<StepsTurn> turns;
  for (size_t i = 0; i < groups.size(); ++i) {
    Group& group = groups[i];
    if (group.content.empty()) {
      if (giveAway(group, turns, i + 1 < groups.size() ? &groups[i + 1] : nullptr)) continue;
      std::string path(root);
      json::appendPointer(path, group.begin);
      return Error{"field.invalid", 0, path, "a step with a text, a call, a result or media"};
    }
    const bool isShared = !turns.empty() && turns.back().end > group.begin;
    if (isShared) turns.back().isWhole = false;
    turns.push_back(
        {std::move(group.content), group.begin, group.end, group.side == Side::kModel, !isShared});
  }
  return turns;
}

}  // namespace strata::interactions
