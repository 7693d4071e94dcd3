#include "lint/interaction_rules.h"

#include <algorithm>

#include "interactions/step_view.h"
#include "interactions/wire.h"
#include "lint/interaction_check.h"
#include "lint/request_check.h"
#include "lint/request_rules.h"
#include "lint/step_order.h"
#include "lint/step_rules.h"
#include "lint/surrogates.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;
using interactions::ContentKind;
using interactions::PlacedStep;
using interactions::Shape;
using interactions::StepKind;

std::string_view adviceFor(interactions::Wire wire) {
  if (wire == interactions::Wire::kOpenAiChat) return "Convert it with checker.openAiRequest.";
  return wire == interactions::Wire::kAnthropicMessages
             ? "Gemini has no endpoint for it."
             : "Write its input as steps, its instructions as system_instruction.";
}

// Returns whether a step is the user's and has no Content.
bool isEmptyStep(json::Value step) {
  const json::Value content = step.find("content");
  return interactions::stepKindOf(step) == StepKind::kUserInput &&
         (!content || (content.isArray() && content.size() == 0));
}

// Returns whether nothing in the input says anything.
bool isEmptyInput(json::Value input) {
  if (!isSet(input)) return true;
  if (input.isString()) return input.raw().empty();
  if (!input.isArray()) return false;
  for (const json::Value step : json::elements(input)) {
    if (!isEmptyStep(step)) return false;
  }
  return true;
}

class BodyCheck : public InteractionCheck {
 public:
  using InteractionCheck::InteractionCheck;

  void run(size_t bytes) {
    if (bytes > kMaxRequestBytes) {
      add(Rule::kSizeTooLarge, "", std::to_string(bytes), std::to_string(kMaxRequestBytes))
          .hasUpstream = false;
    }
    checkForm();
    checkNames(body_, interactions::fieldsOf(Shape::kRequest), "");
    checkModel();
    checkInstruction();
    checkStore();
    checkAgent();
    checkVersion();
    checkInteractionConfig(body_, context_, findings_);
    checkTexts();
    checkInput();
  }

 private:
  bool isTrue(std::string_view name) const { return body_.find(name).isTrue(); }
  bool isFalse(std::string_view name) const {
    return body_.find(name).isBoolean() && !isTrue(name);
  }

  void checkForm() {
    const std::string place(interactions::betaPlace(body_));
    if (place != "/outputs") return;
    add(Rule::kInteractionBetaForm, place, "outputs", "Its Content stands in steps now.");
  }

  void checkModel() {
    checkString(body_, "model", "");
    checkString(body_, "agent", "");
    const bool hasModel = isSet(body_.find("model"));
    const bool hasAgent = isSet(body_.find("agent"));
    if (hasModel == hasAgent)
      add(Rule::kInteractionModelOrAgent, "", hasModel ? "both" : "neither");
    if (!hasModel) return;
    const catalogue::Target& target = context_.target;
    const std::string model(catalogue::bareModelName(context_.model));
    if (target.model->retired <= target.day)
      add(Rule::kModelRetired, "/model", model, catalogue::dayText(target.model->retired));
    const std::string_view near = target.catalogue->nearestModel(model);
    if (!near.empty()) add(Rule::kModelMisspelled, "/model", model, near);
    add(Rule::kInteractionVertexModel, "/model", model);
  }

  void checkInstruction() {
    const json::Value instruction = body_.find("system_instruction");
    if (!isSet(instruction) || instruction.isString()) return;
    add(Rule::kInteractionInstructionNotString, "/system_instruction").hasUpstream =
        instruction.isObject();
  }

  void checkStore() {
    for (const std::string_view name : {"stream", "store", "background"}) {
      checkBoolean(body_, name, "");
    }
    checkString(body_, "previous_interaction_id", "");
    if (!isFalse("store")) return;
    if (isTrue("background")) add(Rule::kInteractionStoreConflict, "/background", "background");
    if (isSet(body_.find("previous_interaction_id"))) {
      // Only a later one is documented to fail.
      add(Rule::kInteractionStoreConflict, "/previous_interaction_id", "previous_interaction_id")
          .severityCap = Severity::kWarning;
    }
  }

  void checkAgent() {
    const bool hasAgent = isSet(body_.find("agent"));
    const std::string agent = body_.find("agent").text();
    if (hasAgent && isSet(body_.find("generation_config")))
      add(Rule::kInteractionAgentConfig, "/generation_config", "generation_config", "agent");
    if (!hasAgent && isSet(body_.find("agent_config")))
      add(Rule::kInteractionAgentConfig, "/agent_config", "agent_config", "model");
    if (agent.starts_with("deep-research") && !isTrue("background"))
      add(Rule::kInteractionBackground, "/agent", agent, "needs background: true");
    if (agent.starts_with("antigravity") && isTrue("background")) {
      add(Rule::kInteractionBackground, "/background", agent, "does not run in the background")
          .hasUpstream = false;
    }
  }

  // What only v1beta has.
  void checkVersion() {
    if (!context_.stableVersion) return;
    for (const std::string_view name : {"agent", "service_tier", "webhook_config"}) {
      if (isSet(body_.find(name))) add(Rule::kInteractionV1Missing, "/" + std::string(name), name);
    }
    if (isSet(body_.find("generation_config").find("speech_config"))) {
      add(Rule::kInteractionV1Missing, "/generation_config/speech_config", "speech_config");
    }
    size_t index = 0;
    for (const json::Value tool : json::elements(body_.find("tools"))) {
      const std::string path = "/tools/" + std::to_string(index++) + "/type";
      const std::string type = tool.find("type").text();
      if (type == "mcp_server" || type == "computer_use")
        add(Rule::kInteractionV1Missing, path, type);
    }
  }

  void checkTexts() {
    // Those of steps are found with them.
    const json::Value input = body_.find("input");
    const bool isStepList =
        input.isArray() && !interactions::isContentList(input) && !interactions::isTurnList(input);
    for (const json::Member member : json::members(body_)) {
      if (member.value != input || !isStepList) checkSurrogates(member, {}, findings_);
    }
  }

  void checkInput() {
    const json::Value input = body_.find("input");
    if (isEmptyInput(input)) {
      if (!isSet(body_.find("outputs"))) add(Rule::kInputEmpty, input ? "/input" : "");
      // What they have may stand in a field with another name.
      if (input.isArray()) checkSteps(input, context_.target, findings_);
      return;
    }
    if (input.isString()) return;
    if (input.isObject()) return checkSingle(input);
    if (!input.isArray())
      return addInvalid("/input", "input", "a text, a Content, or a list of steps");
    if (interactions::isTurnList(input)) {
      add(Rule::kInputTurnList, "/input");
    } else if (interactions::isContentList(input)) {
      checkContentList(input);
    } else {
      checkStepList(input);
    }
  }

  void checkSingle(json::Value input) {
    if (interactions::contentKindOf(input) != ContentKind::kUnknown)
      return checkStepContent(input, "/input", context_.target, findings_);
    addInvalid("/input", "input", "a text, a Content, or a list of steps");
  }

  void checkContentList(json::Value input) {
    const size_t last = input.size() - 1;
    const json::Value type = input.at(last).find("type");
    Finding& finding =
        add(Rule::kInputContentList, "/input", type.text(), "input[" + std::to_string(last) + "]");
    if (!context_.stableVersion) finding.severityCap = Severity::kWarning;
    checkStepContent(input, "/input", context_.target, findings_);
  }

  void checkStepList(json::Value input) {
    checkSteps(input, context_.target, findings_);
    const std::vector<PlacedStep> steps = interactions::placedSteps(input);
    const bool isContinued = isSet(body_.find("previous_interaction_id"));
    checkStepOrder(steps, isContinued, context_.target, findings_);
    checkSpeech(steps);
    checkSummaries(steps);
  }

  void checkSpeech(const std::vector<PlacedStep>& steps) {
    const catalogue::ModelRow& model = *context_.target.model;
    const bool isSpeech =
        model.output == catalogue::Output::kSpeech || model.refuses(catalogue::Feature::kMultiTurn);
    if (isSpeech && steps.size() > 1) add(Rule::kInteractionSpeechTurns, "/input");
  }

  void checkSummaries(const std::vector<PlacedStep>& steps) {
    const json::Value config = body_.find("generation_config");
    if (!config.find("thinking_summaries").equals("none")) return;
    const bool hasSummary = std::any_of(steps.begin(), steps.end(), [](const PlacedStep& step) {
      return step.view.isThought() && step.view.content.size() > 0;
    });
    if (hasSummary)
      add(Rule::kInteractionSummariesOff, "/generation_config/thinking_summaries", "none");
  }
};

}  // namespace

LintContext contextOf(json::Value body, const LintContext& context) {
  LintContext own = context;
  const json::Value model = body.find("model");
  const bool isNamed = model.isString() && !model.raw().empty();
  if (!isNamed || wireOf(body, context) != interactions::Wire::kInteractions) return own;
  own.model = model.text();
  own.target.model = &own.target.catalogue->model(own.model, own.target.service());
  return own;
}

Findings lintInteraction(json::Value body, size_t bytes, const LintContext& context,
                         Findings findings) {
  const LintContext own = contextOf(body, context);
  BodyCheck(body, own, findings).run(bytes);
  findings.filter([&](Finding& finding) {
    // The severity is asked for with the caller's target, whose model may be another one.
    finding.severityCap = own.target.severity(finding);
    return finding.severityCap != Severity::kOff;
  });
  return findings;
}

Findings otherApiFinding(interactions::Wire wire, Findings findings) {
  Finding& finding = findings.emplace_back();
  finding.rule = Rule::kBodyOtherApi;
  finding.arg1 = interactions::wireName(wire);
  finding.arg2 = adviceFor(wire);
  return findings;
}

}  // namespace strata::lint
