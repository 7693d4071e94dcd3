#include "lint/step_rules.h"

#include "interactions/step_view.h"
#include "json/pointer.h"
#include "lint/signature.h"
#include "lint/surrogates.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;
using interactions::ContentKind;
using interactions::StepKind;
using interactions::StepView;

// Types that the server itself lists for input, besides those with a shape.
constexpr interactions::NameList kListedTypes =
    "transcription playback_awaiting elicitation_call elicitation_result compaction "
    "audio_truncation playback_interruption playback_complete content";

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string childPath(const std::string& path, std::string_view name) {
  std::string child = path;
  json::appendPointer(child, name);
  return child;
}

class StepCheck {
 public:
  StepCheck(const catalogue::Target& target, Findings& findings)
      : target_(target), findings_(findings) {}

  void checkStep(json::Value step, const std::string& path) {
    if (!step.isObject()) return addInvalid(path, "a step", "an object");
    const StepView view = interactions::viewOf(step);
    if (view.kind == StepKind::kUnknown) return checkUnknownStep(step, path);
    checkFields(step, interactions::fieldsOf(view.kind), path);
    checkData(view, path);
    Finding location{};
    location.path = path;
    checkSurrogates(step, location, findings_);
  }

  void checkContents(json::Value content, const std::string& path, bool isInput) {
    if (content.isString()) {
      if (content.raw().empty()) add(Rule::kStepTextEmpty, path);
      return;
    }
    if (content && !content.isArray() && !content.isObject())
      return addInvalid(path, "content", "a list of Content, or a text");
    size_t index = 0;
    for (const json::Value each : interactions::contentOf(content)) {
      const std::string at = content.isObject() ? path : path + "/" + std::to_string(index++);
      checkContent(each, at, isInput);
    }
  }

 private:
  Finding& add(Rule rule, std::string_view path, std::string_view arg1 = {},
               std::string_view arg2 = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.path = path;
    finding.arg1 = arg1;
    finding.arg2 = arg2;
    return finding;
  }

  void addInvalid(std::string_view path, std::string_view what, std::string_view expected) {
    add(Rule::kFieldInvalid, path, what, expected).hasUpstream = false;
  }

  // A type that is missing, that another API has, or that is newer than this package.
  void addType(json::Value object, const std::string& path, std::string_view hint) {
    const json::Value type = object.find("type");
    const bool isForeign = !type.isString() || interactions::isForeignType(type);
    Finding& finding = add(Rule::kStepTypeUnsupported, path + "/type",
                           type.isString() ? type.text() : "UNKNOWN", isForeign ? hint : "");
    if (!isForeign) finding.severityCap = Severity::kWarning;
  }

  void checkUnknownStep(json::Value step, const std::string& path) {
    if (interactions::hasName(kListedTypes, step.find("type").raw())) return;
    if (interactions::contentKindOf(step) != ContentKind::kUnknown) {
      // Only a list of nothing but Content is known to pass.
      add(Rule::kStepTypeUnsupported, path + "/type", step.find("type").text(),
          " Put it into the content of a user_input.")
          .severityCap = Severity::kWarning;
      return;
    }
    addType(step, path,
            " Steps are user_input, model_output, thought, function_call, "
            "function_result and those of built-in tools.");
  }

  void checkFields(json::Value object, interactions::NameList fields, const std::string& path) {
    if (fields.empty()) return;
    for (const json::Member member : json::members(object)) {
      const std::string name = member.key.text();
      if (interactions::hasName(fields, name)) continue;
      const std::string meant = interactions::meantName(fields, member.key);
      Finding& finding = add(Rule::kStepFieldUnknown, childPath(path, name), name,
                             meant.empty() ? "" : " Did you mean '" + meant + "'?");
      // Another field may be newer than this package.
      if (meant.empty() && !interactions::isForeignName(member.key))
        finding.severityCap = Severity::kWarning;
    }
  }

  void checkData(const StepView& view, const std::string& path) {
    switch (view.kind) {
      case StepKind::kUserInput:
      case StepKind::kModelOutput:
        if (view.content.isObject())
          return addInvalid(path + "/content", "content", "a text or a list of Content");
        return checkContents(view.content, path + "/content", view.kind == StepKind::kUserInput);
      case StepKind::kThought:
        return checkThought(view, path);
      case StepKind::kFunctionCall:
        return checkCall(view, path);
      case StepKind::kFunctionResult:
        return checkResult(view, path, false);
      default:
        if (!view.isSigned()) add(Rule::kStepSignatureMissing, path);
    }
  }

  void checkThought(const StepView& view, const std::string& path) {
    if (view.signature && !view.signature.isString())
      addInvalid(path + "/signature", "signature", "a string");
    if (view.isSigned() && isPlaceholder(view.signature.text()))
      add(Rule::kThoughtPlaceholder, path + "/signature");
    checkContents(view.content, path + "/summary", false);
  }

  void checkSignature(const StepView& view, const std::string& path, std::string_view type) {
    // Streams start a call with an empty one.
    if (view.isSigned()) add(Rule::kStepSignatureOnCall, path + "/signature", type);
  }

  void checkCall(const StepView& view, const std::string& path) {
    checkName(view, path, Rule::kFieldInvalid);
    if (view.id && !view.id.isString()) addInvalid(path + "/id", "id", "a string");
    if (view.payload && !view.payload.isObject())
      addInvalid(path + "/arguments", "arguments", "an object");
    checkSignature(view, path, "function_call");
  }

  void checkName(const StepView& view, const std::string& path, Rule rule) {
    if (view.name.isString() && !view.name.raw().empty()) return;
    Finding& finding = add(rule, path + "/name", "name", "a non-empty string");
    if (rule == Rule::kFieldInvalid) finding.hasUpstream = false;
  }

  // `isBlock`: it stands in a user_input.
  void checkResult(const StepView& view, const std::string& path, bool isBlock) {
    if (!view.id.isString() || view.id.raw().empty()) {
      Finding& finding = add(Rule::kStepResultCallId, path + "/call_id");
      // The newest measurement of the step found the field to be optional.
      if (!isBlock) finding.severityCap = Severity::kWarning;
    }
    checkName(view, path, Rule::kStepResultName);
    checkPayload(view.payload, path + "/result");
    checkSignature(view, path, "function_result");
  }

  void checkPayload(json::Value result, const std::string& path) {
    if (result.isObject() || result.isString()) return;
    if (!result.isArray()) {
      Finding& finding = add(Rule::kStepResultInvalid, path);
      // Whether it may be left out is not known.
      if (!result) finding.severityCap = Severity::kWarning;
      return;
    }
    size_t index = 0;
    for (const json::Value each : json::elements(result)) {
      const std::string at = path + "/" + std::to_string(index++);
      const ContentKind kind = interactions::contentKindOf(each);
      if (kind != ContentKind::kText && kind != ContentKind::kImage) {
        add(Rule::kStepResultInvalid, path);
        return;
      }
      if (kind == ContentKind::kImage) add(Rule::kStepResultMedia, at);
      checkContent(each, at, false);
    }
  }

  void checkContent(json::Value content, const std::string& path, bool isInput) {
    if (!content.isObject()) return addInvalid(path, "a Content", "an object");
    const ContentKind kind = interactions::contentKindOf(content);
    if (kind == ContentKind::kUnknown) {
      return addType(content, path, " Content is text, image, audio, document or video.");
    }
    checkFields(content, interactions::fieldsOf(kind), path);
    if (kind == ContentKind::kText) return checkText(content.find("text"), path + "/text");
    if (kind == ContentKind::kFunctionResult)
      return checkResult(interactions::viewOf(content), path, true);
    checkMedia(content, kind, path, isInput);
  }

  void checkText(json::Value text, const std::string& path) {
    if (text && !text.isString()) return addInvalid(path, "text", "a string");
    const std::string value = text.text();
    if (!isBlank(value)) return;
    Finding& finding = add(Rule::kStepTextEmpty, path);
    if (!value.empty()) finding.severityCap = Severity::kWarning;
  }

  void checkMedia(json::Value content, ContentKind kind, const std::string& path, bool isInput) {
    const json::Value data = content.find("data");
    const json::Value uri = content.find("uri");
    if (data.raw().starts_with("data:")) add(Rule::kStepDataUrl, path + "/data");
    if (uri.raw().starts_with("gs:")) add(Rule::kStepGcsUri, path + "/uri", uri.text());
    const bool isHeard = isInput && kind == ContentKind::kAudio;
    const bool isDeaf = target_.model->output == catalogue::Output::kSpeech ||
                        target_.model->refuses(catalogue::Feature::kAudioInput);
    if (isHeard && isDeaf) add(Rule::kMediaAudioUnsupported, path);
  }

  const catalogue::Target& target_;
  Findings& findings_;
};

}  // namespace

void checkSteps(json::Value input, const catalogue::Target& target, Findings& findings) {
  StepCheck check(target, findings);
  size_t index = 0;
  for (const json::Value step : json::elements(input)) {
    check.checkStep(step, "/input/" + std::to_string(index++));
  }
}

void checkStepContent(json::Value content, const std::string& path, const catalogue::Target& target,
                      Findings& findings) {
  StepCheck(target, findings).checkContents(content, path, true);
}

}  // namespace strata::lint
