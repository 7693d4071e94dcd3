#include "history/request_rules.h"

#include <array>

#include "history/content_rules.h"
#include "json/pointer.h"

namespace strata::history {
namespace {

using rules::Finding;
using rules::Findings;
using rules::Rule;
using rules::Severity;

constexpr size_t kMaxFunctionName = 64;

constexpr std::array<std::string_view, 12> kRequestFields = {
    "contents",       "systemInstruction", "tools", "toolConfig",  "generationConfig",
    "safetySettings", "cachedContent",     "model", "serviceTier", "store",
    "labels",         "modelArmorConfig",
};

// As the API takes them: in capitals, or in small letters.
constexpr std::array<std::string_view, 9> kThinkingLevels = {
    "MINIMAL", "LOW",     "MEDIUM",
    "HIGH",    "minimal", "low",
    "medium",  "high",    "THINKING_LEVEL_UNSPECIFIED"};

bool isThinkingLevel(json::Value level) {
  for (const std::string_view known : kThinkingLevels) {
    if (level.equals(known)) return true;
  }
  return false;
}

bool isSet(json::Value value) { return value && !value.isNull(); }

bool isFunctionName(std::string_view name) {
  if (name.empty() || name.size() > kMaxFunctionName) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    const bool later = (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '-';
    if (!letter && (i == 0 || !later)) return false;
  }
  return true;
}

class RequestCheck {
 public:
  RequestCheck(json::Value request, const LintContext& context, Findings& findings)
      : request_(request), context_(context), findings_(findings) {}

  void run(size_t bytes) {
    if (bytes > kMaxRequestBytes) {
      add(Rule::kSizeTooLarge, "", std::to_string(bytes), std::to_string(kMaxRequestBytes));
    }
    if (!request_.isObject()) {
      add(Rule::kFieldInvalid, "", "the request", "an object");
      return;
    }
    checkFields();
    checkSystemInstruction();
    if (isSet(field(request_, "cachedContent"))) checkCache();
    checkTools(field(request_, "tools"));
    checkToolConfig();
    checkGenerationConfig(field(request_, "generationConfig"));
  }

 private:
  Finding& add(Rule rule, std::string path, std::string subject = {}, std::string other = {}) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.path = std::move(path);
    finding.subject = std::move(subject);
    finding.other = std::move(other);
    return finding;
  }

  // The path of a field as this body spells it.
  std::string pathOf(json::Value object, const std::string& path, std::string_view name) const {
    for (const json::Member member : json::members(object)) {
      if (isField(member.key, name)) return path + "/" + member.key.text();
    }
    return path + "/" + std::string(name);
  }

  void checkFields() {
    for (const json::Member member : json::members(request_)) {
      bool known = false;
      for (const std::string_view name : kRequestFields) known = known || isField(member.key, name);
      if (known) continue;
      std::string path;
      json::appendPointer(path, member.key.text());
      add(Rule::kFieldUnknown, std::move(path), member.key.text()).atMost = Severity::kWarning;
    }
    checkBothSpellings(request_, "");
    const json::Value contents = field(request_, "contents");
    if (isSet(contents) && !contents.isArray()) {
      add(Rule::kFieldInvalid, "/contents", "contents", "an array of Contents");
    }
  }

  void checkBothSpellings(json::Value object, const std::string& path) {
    Finding place{};
    place.path = path;
    checkSpellings(object, place, findings_);
  }

  // Fields that only one of the two services knows.
  void checkToolConfig() {
    const json::Value config = field(request_, "toolConfig");
    const std::string_view flag = "includeServerSideToolInvocations";
    const bool vertex = context_.target.backend == rules::Backend::kVertex;
    if (!vertex || !isSet(field(config, flag))) return;
    const std::string path = pathOf(request_, "", "toolConfig");
    add(Rule::kFieldUnknown, pathOf(config, path, flag), std::string(flag));
  }

  void checkSystemInstruction() {
    const json::Value instruction = field(request_, "systemInstruction");
    if (!isSet(instruction)) return;
    const std::string path = pathOf(request_, "", "systemInstruction");
    if (!instruction.isObject()) {
      add(Rule::kFieldInvalid, path, "systemInstruction", "a Content");
      return;
    }
    const json::Value parts = field(instruction, "parts");
    const std::string within = pathOf(instruction, path, "parts");
    if (parts.size() == 0) {
      add(Rule::kFieldInvalid, within, "systemInstruction.parts", "text Parts");
    }
    // The reference says text only; no answer that refuses anything else is on record.
    size_t index = 0;
    for (const json::Value part : json::elements(parts)) {
      const std::string at = within + "/" + std::to_string(index++);
      if (field(part, "text").isString()) continue;
      add(Rule::kFieldInvalid, at, "a Part of systemInstruction", "text").atMost =
          Severity::kWarning;
    }
  }

  void checkCache() {
    for (const std::string_view name : {"systemInstruction", "tools", "toolConfig"}) {
      if (isSet(field(request_, name))) {
        add(Rule::kCacheForbiddenFields, pathOf(request_, "", name), std::string(name));
      }
    }
    const std::string model(rules::bareModelName(context_.model));
    const std::string path = pathOf(request_, "", "cachedContent");
    if (!context_.target.model->explicitCache) add(Rule::kCacheUnsupportedModel, path, model);
    if (context_.cacheModel) {
      const std::string cached(rules::bareModelName(*context_.cacheModel));
      if (cached != model) add(Rule::kCacheModelMismatch, path, model, cached);
    }
    const uint32_t minimum = context_.target.model->cacheMinimum;
    if (context_.cacheTokens >= 0 && context_.cacheTokens < minimum) {
      add(Rule::kCacheTooSmall, path, std::to_string(context_.cacheTokens),
          std::to_string(minimum));
    }
  }

  void checkTools(json::Value tools) {
    if (!isSet(tools)) return;
    const std::string path = pathOf(request_, "", "tools");
    if (!tools.isArray()) {
      add(Rule::kFieldInvalid, path, "tools", "an array");
      return;
    }
    bool functions = false;
    bool builtIn = false;
    size_t index = 0;
    for (const json::Value tool : json::elements(tools)) {
      const std::string toolPath = path + "/" + std::to_string(index++);
      for (const json::Member member : json::members(tool)) {
        if (!isSet(member.value)) continue;
        if (isField(member.key, "functionDeclarations")) {
          functions = functions || member.value.size() > 0;
          checkDeclarations(member.value, toolPath + "/" + member.key.text());
        } else {
          builtIn = true;
        }
      }
    }
    if (functions && builtIn && !serverSideFlag()) add(Rule::kToolsMixedWithoutFlag, path);
    const json::Value mime = field(field(request_, "generationConfig"), "responseMimeType");
    if (index > 0 && mime.equals("application/json")) add(Rule::kToolsJsonMode, path);
  }

  bool serverSideFlag() const {
    return field(field(request_, "toolConfig"), "includeServerSideToolInvocations").isTrue();
  }

  void checkDeclarations(json::Value declarations, const std::string& path) {
    size_t index = 0;
    for (const json::Value declaration : json::elements(declarations)) {
      const std::string name = field(declaration, "name").text();
      const std::string here = path + "/" + std::to_string(index++) + "/name";
      if (!isFunctionName(name)) add(Rule::kToolsNameInvalid, here, name.substr(0, 80));
    }
  }

  void checkGenerationConfig(json::Value config) {
    if (!isSet(config)) return;
    const std::string path = pathOf(request_, "", "generationConfig");
    checkBothSpellings(config, path);
    for (const std::string_view name : {"presencePenalty", "frequencyPenalty"}) {
      if (!isSet(field(config, name))) continue;
      add(Rule::kConfigPenaltyUnsupported, pathOf(config, path, name), std::string(name));
    }
    for (const std::string_view name : {"temperature", "topP", "topK"}) {
      if (!isSet(field(config, name))) continue;
      add(Rule::kConfigSamplingIgnored, pathOf(config, path, name), std::string(name));
    }
    if (field(config, "candidateCount").integer(1) > 1) {
      add(Rule::kConfigCandidateCount, pathOf(config, path, "candidateCount"));
    }
    const json::Value thinking = field(config, "thinkingConfig");
    if (isSet(thinking)) checkThinking(thinking, pathOf(config, path, "thinkingConfig"));
  }

  void checkThinking(json::Value thinking, const std::string& path) {
    const json::Value level = field(thinking, "thinkingLevel");
    const json::Value budget = field(thinking, "thinkingBudget");
    const rules::ModelRow& model = *context_.target.model;
    if (isSet(level) && isSet(budget)) add(Rule::kThinkingBoth, path);
    checkBothSpellings(thinking, path);
    if (isSet(level)) {
      const std::string where = pathOf(thinking, path, "thinkingLevel");
      const bool minimal = level.equals("MINIMAL") || level.equals("minimal");
      if (!isThinkingLevel(level)) {
        add(Rule::kFieldInvalid, where, "thinkingLevel", "MINIMAL, LOW, MEDIUM or HIGH");
      }
      if (model.levels == rules::ThinkingLevels::kNone) add(Rule::kThinkingLevelUnsupported, where);
      if (minimal && model.levels == rules::ThinkingLevels::kNoMinimal) {
        add(Rule::kThinkingMinimalUnsupported, where);
      }
    }
    if (isSet(budget)) checkBudget(budget, pathOf(thinking, path, "thinkingBudget"));
  }

  void checkBudget(json::Value budget, std::string path) {
    const rules::ModelRow& model = *context_.target.model;
    const int64_t value = budget.integer(INT64_MAX);
    if (value == -1 || (value == 0 && model.thinkingOff)) return;
    if (value >= model.budgetLow && value <= model.budgetHigh) return;
    add(Rule::kThinkingBudgetRange, std::move(path), std::string(budget.bytes().substr(0, 24)),
        std::to_string(model.budgetLow) + " and " + std::to_string(model.budgetHigh));
  }

  json::Value request_;
  const LintContext& context_;
  Findings& findings_;
};

}  // namespace

void checkRequest(json::Value request, size_t bytes, const LintContext& context,
                  rules::Findings& findings) {
  RequestCheck(request, context, findings).run(bytes);
}

}  // namespace strata::history
