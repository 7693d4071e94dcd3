#include "lint/step_order.h"

#include <algorithm>

#include "base/text_index.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;
using interactions::PlacedStep;
using interactions::StepKind;

constexpr size_t kNone = SIZE_MAX;

// Returns the index of the first step for which `is` holds.
template <typename Is>
size_t firstOf(std::span<const PlacedStep> steps, const Is& is) {
  const auto found = std::find_if(steps.begin(), steps.end(), is);
  return found == steps.end() ? kNone : static_cast<size_t>(found - steps.begin());
}

bool isCall(const PlacedStep& step) { return step.view.isCall(); }
bool isThought(const PlacedStep& step) { return step.view.isThought(); }
bool isInput(const PlacedStep& step) { return step.view.kind == StepKind::kUserInput; }

// The calls of one run by id and by name.
class OpenCalls {
 public:
  explicit OpenCalls(std::span<const PlacedStep> model) : model_(model) {
    for (size_t i = 0; i < model.size(); ++i) {
      if (!model[i].view.isCall()) continue;
      const auto at = static_cast<int32_t>(i);
      ids_.add(model[i].view.id.text(), at);
      names_.add(model[i].view.name.text(), at);
      all_.add("", at);
    }
  }

  AnsweredCall answer(const interactions::StepView& result) {
    const std::string id = result.id.text();
    int32_t call = id.empty() ? -1 : ids_.find(id);
    if (call < 0 && !id.empty()) {
      const int32_t answered = answered_.find(id);
      if (answered >= 0) return {answered, true};
    }
    // A call may lack its id, and so may a result.
    if (call < 0) call = withoutId(id, result.name.text());
    if (call >= 0) take(call);
    return {call, false};
  }

 private:
  int32_t withoutId(const std::string& id, const std::string& name) const {
    const int32_t named = names_.find(name);
    if (!id.empty()) {
      const bool lacksId = named >= 0 && viewAt(named).id.raw().empty();
      return lacksId ? named : -1;
    }
    return named >= 0 || !name.empty() ? named : all_.find("");
  }

  const interactions::StepView& viewAt(int32_t call) const {
    return model_[static_cast<size_t>(call)].view;
  }

  void take(int32_t call) {
    const std::string id = viewAt(call).id.text();
    ids_.remove(id, call);
    names_.remove(viewAt(call).name.text(), call);
    all_.remove("", call);
    if (!id.empty()) answered_.add(id, call);
  }

  std::span<const PlacedStep> model_;
  TextIndex ids_;
  TextIndex names_;
  TextIndex all_;
  TextIndex answered_;
};

class OrderCheck {
 public:
  OrderCheck(std::span<const PlacedStep> steps, bool isContinued, const catalogue::Target& target,
             Findings& findings)
      : steps_(steps), isContinued_(isContinued), target_(target), findings_(findings) {}

  void run() {
    const auto last = std::find_if(steps_.rbegin(), steps_.rend(), isInput);
    opening_ = static_cast<size_t>(steps_.rend() - last);
    for (size_t at = 0; at < steps_.size();) at = checkTurn(at);
    checkEnd();
  }

 private:
  // Checks the model's steps at `at` and the results behind them. Returns where they end.
  size_t checkTurn(size_t at) {
    const interactions::StepTurn turn = interactions::turnAt(steps_, at);
    const StepRun run{steps_.subspan(at, turn.end - at),
                      steps_.subspan(turn.end, turn.results - turn.end)};
    isCurrent_ = at >= opening_;
    if (!run.model.empty()) checkThoughts(run.model, at);
    if (!run.model.empty() || !run.results.empty()) checkResults(run);
    hasModel_ = hasModel_ || !run.model.empty();
    return std::max(at + 1, turn.results);
  }

  Finding& add(Rule rule, const PlacedStep& step, std::string_view field = {},
               std::string_view arg1 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.path = "/input" + step.path() + std::string(field);
    finding.arg1 = arg1;
    return finding;
  }

  // A fault of a thought. Only of the current turn it is known to be refused.
  void addThought(Rule rule, const PlacedStep& step) {
    Finding& finding = add(rule, step);
    if (!isCurrent_) finding.severityCap = Severity::kWarning;
    if (!target_.model->checksSignatures) finding.severityCap = Severity::kInfo;
  }

  void checkThoughts(std::span<const PlacedStep> model, size_t begin) {
    const size_t call = firstOf(model, isCall);
    const size_t thought = firstOf(model, isThought);
    if (call != kNone) checkCalls(model.subspan(call));
    if (call != kNone && begin == 0 && !isContinued_) add(Rule::kStepCallFirst, model[call]);
    if (thought == kNone) {
      if (call != kNone) checkUnopened(model, call, begin);
    } else if (thought > 0) {
      add(Rule::kThoughtNotFirst, model[thought]);
    } else if (!model[0].view.isSigned()) {
      addThought(Rule::kThoughtUnsigned, model[0]);
      // A finished turn without calls is not known to be refused.
      if (call == kNone) findings_.back().severityCap = Severity::kWarning;
    }
  }

  // Calls without a thought: those of the turn before, or of an unsigned turn.
  void checkUnopened(std::span<const PlacedStep> model, size_t call, size_t begin) {
    const bool followsUnknown = begin > 0 && steps_[begin - 1].view.isUnknown();
    while (begin > 0 && steps_[begin - 1].view.isUnknown()) --begin;
    const bool followsResults = begin > 0 && steps_[begin - 1].view.isResult();
    if (call == 0 && followsResults) {
      add(Rule::kStepInterleaved, model[0]);
      if (!isCurrent_) findings_.back().severityCap = Severity::kWarning;
    } else {
      addThought(Rule::kThoughtMissing, model[call]);
    }
    // What an unknown step stands for is not known, and a signed call alone is reported to pass.
    Severity& cap = findings_.back().severityCap;
    if (followsUnknown || model[call].view.isSigned()) cap = std::min(cap, Severity::kWarning);
  }

  void checkCalls(std::span<const PlacedStep> model) {
    TextIndex ids;
    for (const PlacedStep& step : model) {
      const std::string id = step.view.isCall() ? step.view.id.text() : std::string();
      if (id.empty()) continue;
      if (ids.find(id) >= 0) {
        add(Rule::kStepCallDuplicateId, step, "/id", id);
      } else {
        ids.add(id, 0);
      }
    }
  }

  void checkResults(const StepRun& run) {
    // The calls of the first results may be those of the stored interaction.
    if (run.model.empty() && !hasModel_ && isContinued_) return;
    std::vector<bool> answered(run.model.size());
    const std::vector<AnsweredCall> pairs = pairResults(run);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const PlacedStep& result = run.results[i];
      if (!result.view.isResult()) continue;
      if (pairs[i].call < 0) {
        add(Rule::kStepResultOrphan, result);
      } else if (pairs[i].repeated) {
        add(Rule::kStepResultRepeated, result, "", result.view.id.text());
      } else {
        answered[static_cast<size_t>(pairs[i].call)] = true;
      }
    }
    for (size_t i = 0; i < run.model.size(); ++i) {
      if (run.model[i].view.isCall() && !answered[i])
        add(Rule::kStepCallOpen, run.model[i], "", run.model[i].view.name.text());
    }
  }

  void checkEnd() {
    if (steps_.empty() || !steps_.back().view.isOfModel() || steps_.back().view.isCall()) return;
    add(Rule::kInputEndsWithModel, steps_.back());
  }

  std::span<const PlacedStep> steps_;
  bool isContinued_;
  const catalogue::Target& target_;
  Findings& findings_;
  size_t opening_ = 0;  // The index behind the last user_input.
  bool isCurrent_ = false;
  bool hasModel_ = false;  // The model has made a step so far.
};

}  // namespace

std::vector<AnsweredCall> pairResults(const StepRun& run) {
  OpenCalls calls(run.model);
  std::vector<AnsweredCall> pairs;
  for (const PlacedStep& result : run.results)
    pairs.push_back(result.view.isResult() ? calls.answer(result.view) : AnsweredCall());
  return pairs;
}

void checkStepOrder(std::span<const PlacedStep> steps, bool isContinued,
                    const catalogue::Target& target, Findings& findings) {
  OrderCheck(steps, isContinued, target, findings).run();
}

}  // namespace strata::lint
