#include "lint/turn_order.h"

#include <algorithm>

#include "gemini/content_queries.h"
#include "lint/response_pairing.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Rule;
using catalogue::Severity;

Finding& add(catalogue::Findings& findings, Rule rule, int32_t content) {
  Finding& finding = findings.emplace_back();
  finding.rule = rule;
  finding.content = content;
  return finding;
}

// Models before 3.6 join model Contents in a row: recorded for gemini-3-flash-preview.
bool joinsContents(const catalogue::Target& target) {
  return target.model->generation < catalogue::Generation::k3_6;
}

// Returns whether a Content right after open calls belongs to the same answer: for models that join
// Contents, if it is an empty chunk, or if it holds the results of calls that Google ran.
bool continuesAnswer(const gemini::ContentView& view, const SequenceState& state,
                     const catalogue::Target& target) {
  if (!view.isModel() || !state.hasOpenCalls()) return false;
  return joinsContents(target) || view.hasResponses() || gemini::isBlank(view.content);
}

// While calls are open, the next Content must hold their functionResponses, or be another piece of
// the same answer.
void checkOpenCalls(const gemini::ContentView& view, const Calls* calls, const SequenceState& state,
                    const catalogue::Target& target, catalogue::Findings& findings) {
  if (continuesAnswer(view, state, target)) {
    if (view.hasCalls() || view.hasResponses()) return;
    Finding& finding = add(findings, Rule::kCallSplit, state.turns);
    if (!gemini::isBlank(view.content)) finding.severityCap = Severity::kInfo;
  } else if (answersCalls(view, state)) {
    if (calls != nullptr) checkPairs(*calls, view, state.turns, target, findings);
  } else {
    add(findings, Rule::kCallOpen, state.lastCallIndex);
  }
}

// Returns whether the functionResponses are Google's own: the results of calls that it ran itself.
bool areServerResponses(const gemini::ContentView& view, const SequenceState& state,
                        const catalogue::Target& target) {
  return target.serverCalls && view.isModel() && (view.hasCalls() || state.hasOpenCalls());
}

void checkUnexpectedResponses(const gemini::ContentView& view, const SequenceState& state,
                              catalogue::Findings& findings) {
  // Responses right after responses are a split step. After anything else they are orphans.
  const bool split = state.endsWithResponses() && !view.isModel();
  add(findings, split ? Rule::kResponseSplit : Rule::kResponseOrphan, state.turns);
}

void checkCallPosition(const gemini::ContentView& view, const SequenceState& state,
                       const catalogue::Target& target, catalogue::Findings& findings) {
  if (view.isModel() && state.turns > 0 && !state.model) return;
  Finding& finding = add(findings, Rule::kCallOrder, state.turns);
  finding.arg1 = state.turns == 0 ? "nothing" : "a model Content";
  if (!view.isModel()) finding.arg1 = "the user's own role";
  const bool joined = view.isModel() && state.turns > 0 && joinsContents(target);
  if (joined) finding.severityCap = Severity::kWarning;
}

// Of the calls that Google ran itself, no answer without a signature is on record.
void checkFirstSignature(const gemini::ContentView& view, const SequenceState& state,
                         const catalogue::Target& target, catalogue::Findings& findings) {
  const bool mayAnswer = target.serverCalls && view.hasResponses();
  const Calls open = mayAnswer ? openCallsIn(view) : Calls();
  const auto isFirst = [&](const gemini::PartView& part) {
    return mayAnswer ? !open.empty() && open.front() == &part : part.isCall();
  };
  const auto first = std::find_if(view.partViews.begin(), view.partViews.end(), isFirst);
  if (first == view.partViews.end() || first->isSigned()) return;
  Finding& finding = add(findings, Rule::kSignatureMissing, state.turns);
  finding.part = static_cast<int32_t>(first - view.partViews.begin());
  finding.arg1 = first->name.text();
  finding.arg2 = std::to_string(state.turns + 1);
}

}  // namespace

SequenceState advance(SequenceState state, const gemini::ContentView& view,
                      const catalogue::Target& target) {
  const bool continues = continuesAnswer(view, state, target);
  state.model = view.isModel();
  // Responses in a model Content are Google's own; they answer calls before them.
  const uint32_t calls = (continues ? state.calls : 0) + view.calls;
  const uint32_t answered = state.model ? view.responses : 0;
  state.calls = calls > answered ? calls - answered : 0;
  state.responses = state.model ? 0 : view.responses;
  if (view.hasCalls()) {
    state.lastCallIndex = state.turns;
    if (!continues) state.firstCallIndex = state.turns;
  }
  if (state.model) {
    state.lastModelIndex = state.turns;
  } else if (view.hasNonResponses()) {
    state.openingIndex = state.turns;
    if (!view.hasResponses()) state.plainOpeningIndex = state.turns;
  }
  ++state.turns;
  return state;
}

void checkSequence(const gemini::ContentView& view, const Calls* calls, const SequenceState& state,
                   const catalogue::Target& target, catalogue::Findings& findings) {
  if (state.turns == 0 && view.isModel()) add(findings, Rule::kTurnFirstNotUser, 0);
  const bool ownResponses = areServerResponses(view, state, target);
  if (state.hasOpenCalls()) {
    checkOpenCalls(view, calls, state, target, findings);
    if (view.isModel() && view.hasResponses() && !view.hasCalls() && !ownResponses)
      add(findings, Rule::kResponseOrphan, state.turns);
  } else if (view.hasResponses() && !view.hasCalls()) {
    checkUnexpectedResponses(view, state, findings);
  } else if (state.endsWithResponses() && !view.isModel()) {
    add(findings, Rule::kResponseNotFollowedByModel, state.turns);
  }
  if (!view.hasCalls()) return;
  checkCallPosition(view, state, target, findings);
  if (view.isModel()) checkFirstSignature(view, state, target, findings);
}

Severity severityNow(const Finding& finding, const SequenceState& state,
                     const catalogue::Target& target) {
  const Severity severity = target.severity(finding);
  if (target.row(finding.rule).scope != catalogue::Scope::kTurn) return severity;
  if (finding.content < state.plainOpeningIndex) return Severity::kOff;
  // Here the finding is in the current turn under one of the two readings only.
  if (finding.content < state.openingIndex) return std::min(severity, Severity::kWarning);
  return severity;
}

SequenceState beforeNextAnswer(SequenceState state) {
  if (state.model && !state.hasOpenCalls()) {
    state.openingIndex = state.turns;
    state.plainOpeningIndex = state.turns;
  }
  return state;
}

void checkEnd(const SequenceState& state, catalogue::Findings& findings) {
  if (state.turns == 0) {
    add(findings, Rule::kContentsEmpty, -1).path = "/contents";
    return;
  }
  if (!state.model) return;
  if (state.calls > 0) add(findings, Rule::kCallOpen, state.lastCallIndex);
  add(findings, Rule::kTurnEndsWithModel, state.turns - 1);
}

}  // namespace strata::lint
