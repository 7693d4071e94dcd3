// Checks generationConfig: types, unsupported fields, and the limits of the thinking config.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/ascii.h"
#include "gemini/proto_integer.h"
#include "json/number.h"
#include "lint/request_check.h"

namespace strata::lint {
namespace {

using catalogue::kThinkingLevels;
using catalogue::Rule;

constexpr uint8_t kEveryLevel = (1U << kThinkingLevels.size()) - 1;
constexpr size_t kMinimal = 0;
constexpr size_t kXhigh = 4;

// Returns the index of a thinking level, which the API accepts in upper or lower case, or the
// number of levels for any other value.
size_t levelIndex(json::Value level) {
  size_t i = 0;
  for (const std::string_view name : kThinkingLevels) {
    if (level.equals(name) || level.equals(ascii::lowerCase(name))) return i;
    ++i;
  }
  return i;
}

// Returns the names of a model's levels: "LOW, MEDIUM, HIGH".
std::string levelNames(uint8_t levels) {
  std::string names;
  for (size_t i = 0; i < kThinkingLevels.size(); ++i) {
    if ((levels >> i & 1U) == 0) continue;
    names.append(names.empty() ? "" : ", ").append(kThinkingLevels[i]);
  }
  return names;
}

std::optional<double> numberOf(json::Value value) {
  if (value.isString()) return json::readDouble(value.text());
  return value.isNumber() ? json::readDouble(value.bytes()) : std::nullopt;
}

bool isNumber(json::Value value) { return numberOf(value).has_value(); }
bool isInt32(json::Value value) {
  const std::optional<int64_t> integer = gemini::protoInteger(value);
  return integer && *integer >= INT32_MIN && *integer <= INT32_MAX;
}
bool isBoolean(json::Value value) { return value.isBoolean(); }
bool isString(json::Value value) { return value.isString(); }

// A field with a single value, and what the API's JSON parser reads it from.
struct Scalar {
  std::string_view name;
  bool (*isValid)(json::Value);
  std::string_view expected;
};

constexpr Scalar kConfigScalars[] = {
    {"candidateCount", isInt32, "an integer of 32 bits"},
    {"frequencyPenalty", isNumber, "a number"},
    {"logprobs", isInt32, "an integer of 32 bits"},
    {"maxOutputTokens", isInt32, "an integer of 32 bits"},
    {"presencePenalty", isNumber, "a number"},
    {"responseLogprobs", isBoolean, "true or false"},
    {"responseMimeType", isString, "a string"},
    {"seed", isInt32, "an integer of 32 bits"},
    {"temperature", isNumber, "a number"},
    {"topK", isNumber, "a number"},
    {"topP", isNumber, "a number"},
};
constexpr Scalar kThinkingScalars[] = {
    {"thinkingBudget", isInt32, "an integer of 32 bits"},
    {"includeThoughts", isBoolean, "true or false"},
};

class ConfigCheck : public RequestCheck {
 public:
  using RequestCheck::RequestCheck;

  void run() {
    const json::Value config = gemini::field(request_, "generationConfig");
    const std::string path = pathOf(request_, "", "generationConfig");
    checkModalities(config, path);
    if (!checkObject(config, path, "generationConfig", gemini::ObjectKind::kGenerationConfig))
      return;
    checkScalars(config, path, kConfigScalars);
    checkSampling(config, path);
    const auto candidates = gemini::protoInteger(gemini::field(config, "candidateCount"));
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
      if (!value || *value == 0) continue;
      addAt(Rule::kConfigPenaltyUnsupported, config, path, name, name, model());
    }
    for (const std::string_view name : {"temperature", "topP", "topK"}) {
      if (!numberOf(gemini::field(config, name))) continue;
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
    const auto tokens = gemini::protoInteger(gemini::field(config, "maxOutputTokens"));
    const uint32_t limit = context_.target.outputTokens();
    if (!tokens) return;
    if (*tokens >= 1 && *tokens <= limit) return checkRoomForAnswer(config, path, *tokens);
    addAt(Rule::kConfigOutputTokensRange, config, path, "maxOutputTokens", std::to_string(*tokens),
          std::to_string(int64_t{limit} + 1));
  }

  // Thinking counts against maxOutputTokens.
  void checkRoomForAnswer(json::Value config, const std::string& path, int64_t tokens) {
    const json::Value thinking = gemini::field(config, "thinkingConfig");
    const int64_t budget =
        gemini::protoInteger(gemini::field(thinking, "thinkingBudget")).value_or(-1);
    if (context_.target.model->output != catalogue::Output::kText || budget == 0) return;
    const bool counted = budget > 0 && context_.target.model->takesBudget();
    const int64_t needed =
        counted ? budget + 1 : tokensOfLevel(gemini::field(thinking, "thinkingLevel"));
    if (tokens >= needed) return;
    addAt(Rule::kThinkingOutputTokens, config, path, "maxOutputTokens", std::to_string(tokens),
          counted ? "Set more than the thinkingBudget of " + std::to_string(budget) +
                        ", or lower the budget."
                  : "Set " + std::to_string(needed) + " or more, or lower the thinking.");
  }

  // Returns how many tokens leave room for an answer in the recorded exchanges, by the level.
  int64_t tokensOfLevel(json::Value level) const {
    static constexpr std::array<int64_t, kThinkingLevels.size()> kTokens = {0, 256, 513, 1025,
                                                                            1025};
    const catalogue::ModelRow& row = *context_.target.model;
    const size_t given = levelIndex(level);
    const size_t index = given < kTokens.size() ? given : row.defaultLevel;
    if (index < kTokens.size()) return kTokens[index];
    // The thinking of 2.5 Pro and 2.5 Flash has no levels. Other models may do without it.
    const bool thinks = row.levels == 0 && row.takesBudget() && index == catalogue::kNoLevel &&
                        row.generation == catalogue::Generation::k2_5;
    return thinks ? kTokens[2] : 0;
  }

  // Checks what single models lack: JSON answers and log probabilities.
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
    if (context_.target.model->output != catalogue::Output::kSpeech) return;
    const json::Value modalities = gemini::field(config, "responseModalities");
    for (const json::Value modality : json::elements(modalities)) {
      if (modality.equals("AUDIO") || modality.equals("audio")) return;
    }
    add(Rule::kConfigModalityUnsupported,
        modalities ? pathOf(config, path, "responseModalities") : "", model());
  }

  // Reports the fields that are set and not of their type.
  void checkScalars(json::Value object, const std::string& path, std::span<const Scalar> scalars) {
    for (const auto& [name, isValid, expected] : scalars) {
      const json::Value value = gemini::field(object, name);
      if (!isSet(value) || isValid(value)) continue;
      addAt(Rule::kFieldInvalid, object, path, name, name, expected);
    }
  }

  void checkThinking(json::Value thinking, const std::string& path) {
    if (!checkObject(thinking, path, "thinkingConfig", gemini::ObjectKind::kThinkingConfig)) return;
    const json::Value level = gemini::field(thinking, "thinkingLevel");
    const json::Value budget = gemini::field(thinking, "thinkingBudget");
    checkScalars(thinking, path, kThinkingScalars);
    const catalogue::ModelRow& row = *context_.target.model;
    if (row.levels == 0 && !row.takesBudget()) return checkNoThinking(thinking, path);
    if (isSet(level) && isSet(budget)) add(Rule::kThinkingBoth, path);
    if (isSet(level)) checkLevel(level, pathOf(thinking, path, "thinkingLevel"));
    const auto tokens = gemini::protoInteger(budget);
    if (tokens) checkBudget(*tokens, pathOf(thinking, path, "thinkingBudget"));
  }

  // Models that do not think refuse even a thinkingBudget of 0.
  void checkNoThinking(json::Value thinking, const std::string& path) {
    const bool speech = context_.target.model->output == catalogue::Output::kSpeech;
    const bool level = isSet(gemini::field(thinking, "thinkingLevel"));
    const bool budget = isSet(gemini::field(thinking, "thinkingBudget"));
    if (!level && !budget && !gemini::field(thinking, "includeThoughts").isTrue()) return;
    catalogue::Finding& finding =
        add(Rule::kThinkingUnsupported, path,
            speech && level ? "Thinking level is not supported for this model."
                            : "Thinking is not enabled for models/" + std::string(model()));
    if (!level && !budget) finding.severityCap = catalogue::Severity::kWarning;
  }

  void checkLevel(json::Value level, const std::string& path) {
    const uint8_t levels = context_.target.model->levels;
    const size_t index = levelIndex(level);
    const bool isKnown = index < kThinkingLevels.size();
    if (!isKnown && !level.equals("THINKING_LEVEL_UNSPECIFIED")) {
      add(Rule::kFieldInvalid, path, "thinkingLevel", levelNames(kEveryLevel));
    }
    if (levels == 0) {
      add(Rule::kThinkingLevelUnsupported, path);
    } else if (isKnown && index == kMinimal && (levels & 1U) == 0) {
      add(Rule::kThinkingMinimalUnsupported, path);
    } else if (isKnown && (levels >> index & 1U) == 0) {
      const auto name = std::string(kThinkingLevels[index]);
      catalogue::Finding& finding =
          add(Rule::kThinkingLevelUnavailable, path, name, levelNames(levels));
      // No refusal of it is on record.
      if (index == kXhigh) finding.severityCap = catalogue::Severity::kWarning;
    }
  }

  void checkBudget(int64_t value, const std::string& path) {
    const catalogue::ModelRow& model = *context_.target.model;
    if (!model.takesBudget()) {
      // Google's text is on record for Gemma only.
      add(Rule::kThinkingBudgetUnsupported, path).hasUpstream = model.id.starts_with("gemma-");
      return;
    }
    if (value == -1 || (value == 0 && model.thinkingOff)) return;
    if (value >= model.budgetLow && value <= model.budgetHigh) return;
    const std::string range =
        std::to_string(model.budgetLow) + " and " + std::to_string(model.budgetHigh);
    // For 0, Google's text is another: "This model only works in thinking mode."
    add(Rule::kThinkingBudgetRange, path, std::to_string(value), range).hasUpstream = value != 0;
  }
};

}  // namespace

void checkGenerationConfig(json::Value request, const LintContext& context,
                           catalogue::Findings& findings) {
  ConfigCheck(request, context, findings).run();
}

}  // namespace strata::lint
