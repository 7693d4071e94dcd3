// Checks generationConfig: types, unsupported fields, and the limits of the thinking config.
#include <array>

#include "gemini/proto_integer.h"
#include "json/number.h"
#include "lint/request_check.h"

namespace strata::lint {
namespace {

using catalogue::Rule;

// The API accepts these names in upper or lower case.
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

class ConfigCheck : public RequestCheck {
 public:
  using RequestCheck::RequestCheck;

  void run() {
    const json::Value config = gemini::field(request_, "generationConfig");
    const std::string path = pathOf(request_, "", "generationConfig");
    checkModalities(config, path);
    if (!checkObject(config, path, "generationConfig", gemini::ObjectKind::kGenerationConfig))
      return;
    checkSampling(config, path);
    const auto candidates = checkInteger(config, path, "candidateCount");
    if (candidates > 1) addAt(Rule::kConfigCandidateCount, config, path, "candidateCount");
    checkOutputTokens(config, path);
    const json::Value stops = gemini::field(config, "stopSequences");
    if (stops.size() > kMaxStopSequences) {
      addAt(Rule::kConfigStopSequences, config, path, "stopSequences",
            std::to_string(stops.size()));
    }
    checkFeatures(config, path);
    checkThinking(gemini::field(config, "thinkingConfig"), pathOf(config, path, "thinkingConfig"));
  }

 private:
  static constexpr size_t kMaxStopSequences = 5;

  void checkSampling(json::Value config, const std::string& path) {
    for (const std::string_view name : {"presencePenalty", "frequencyPenalty"}) {
      const std::optional<double> value = numberOf(gemini::field(config, name));
      if (value && *value == 0) continue;
      if (!isSet(gemini::field(config, name))) continue;
      addAt(Rule::kConfigPenaltyUnsupported, config, path, name, name, model());
    }
    for (const std::string_view name : {"temperature", "topP", "topK"}) {
      if (!isSet(gemini::field(config, name))) continue;
      addAt(Rule::kConfigSamplingIgnored, config, path, name, name);
    }
    const json::Value temperature = gemini::field(config, "temperature");
    const std::optional<double> degree = numberOf(temperature);
    if (!degree || (*degree >= 0 && *degree <= 2)) return;
    const std::optional<int64_t> whole = gemini::protoInteger(temperature);
    addAt(Rule::kConfigTemperatureRange, config, path, "temperature",
          whole ? std::to_string(*whole) : std::string(temperature.bytes()));
  }

  void checkOutputTokens(json::Value config, const std::string& path) {
    const auto tokens = checkInteger(config, path, "maxOutputTokens");
    const uint32_t limit = context_.target.model->outputTokens;
    if (!tokens || (*tokens >= 1 && *tokens <= limit)) return;
    addAt(Rule::kConfigOutputTokensRange, config, path, "maxOutputTokens", std::to_string(*tokens),
          std::to_string(int64_t{limit} + 1));
  }

  // Checks what single models lack: JSON answers, log probabilities, answers other than audio.
  void checkFeatures(json::Value config, const std::string& path) {
    const catalogue::ModelRow& row = *context_.target.model;
    if (row.refuses(catalogue::Feature::kJsonMode) &&
        gemini::field(config, "responseMimeType").equals("application/json")) {
      addAt(Rule::kConfigJsonModeUnsupported, config, path, "responseMimeType", model());
    }
    if (row.refuses(catalogue::Feature::kLogprobs) &&
        gemini::field(config, "responseLogprobs").isTrue()) {
      addAt(Rule::kConfigLogprobsUnsupported, config, path, "responseLogprobs", model());
    }
  }

  // A model that only speaks must be asked for audio; the default is text.
  void checkModalities(json::Value config, const std::string& path) {
    if (!context_.target.model->refuses(catalogue::Feature::kTextAnswers)) return;
    const json::Value modalities = gemini::field(config, "responseModalities");
    for (const json::Value modality : json::elements(modalities)) {
      if (modality.equals("AUDIO") || modality.equals("audio")) return;
    }
    add(Rule::kConfigModalityUnsupported,
        modalities ? pathOf(config, path, "responseModalities") : "", model());
  }

  static std::optional<double> numberOf(json::Value value) {
    if (value.isString()) return json::readDouble(value.text());
    return value.isNumber() ? json::readDouble(value.bytes()) : std::nullopt;
  }

  // Returns the integer field `name`, or nullopt. Reports a value that is set and not an integer.
  std::optional<int64_t> checkInteger(json::Value object, const std::string& path,
                                      std::string_view name) {
    const json::Value value = gemini::field(object, name);
    const std::optional<int64_t> integer = gemini::protoInteger(value);
    if (isSet(value) && !integer) {
      addAt(Rule::kFieldInvalid, object, path, name, name, "an integer");
    }
    return integer;
  }

  void checkThinking(json::Value thinking, const std::string& path) {
    if (!checkObject(thinking, path, "thinkingConfig", gemini::ObjectKind::kThinkingConfig)) return;
    const json::Value level = gemini::field(thinking, "thinkingLevel");
    const json::Value budget = gemini::field(thinking, "thinkingBudget");
    const catalogue::ModelRow& model = *context_.target.model;
    if (isSet(level) && isSet(budget)) add(Rule::kThinkingBoth, path);
    if (isSet(level)) {
      const std::string levelPath = pathOf(thinking, path, "thinkingLevel");
      const bool minimal = level.equals("MINIMAL") || level.equals("minimal");
      if (!isThinkingLevel(level)) {
        add(Rule::kFieldInvalid, levelPath, "thinkingLevel", "MINIMAL, LOW, MEDIUM or HIGH");
      }
      if (model.levels == catalogue::ThinkingLevels::kNone)
        add(Rule::kThinkingLevelUnsupported, levelPath);
      if (minimal && model.levels == catalogue::ThinkingLevels::kNoMinimal) {
        add(Rule::kThinkingMinimalUnsupported, levelPath);
      }
    }
    const auto tokens = checkInteger(thinking, path, "thinkingBudget");
    if (tokens) checkBudget(*tokens, pathOf(thinking, path, "thinkingBudget"));
  }

  void checkBudget(int64_t value, const std::string& path) {
    const catalogue::ModelRow& model = *context_.target.model;
    if (value == -1 || (value == 0 && model.thinkingOff)) return;
    if (value >= model.budgetLow && value <= model.budgetHigh) return;
    add(Rule::kThinkingBudgetRange, path, std::to_string(value),
        std::to_string(model.budgetLow) + " and " + std::to_string(model.budgetHigh));
  }
};

}  // namespace

void checkGenerationConfig(json::Value request, const LintContext& context,
                           catalogue::Findings& findings) {
  ConfigCheck(request, context, findings).run();
}

}  // namespace strata::lint
