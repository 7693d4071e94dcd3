// Defines the row of a model: its generation, limits, caching, thinking options and prices, at one
// backend and in one span of time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "catalogue/rule.h"
#include "catalogue/service.h"

namespace strata::catalogue {

/// The values of thinkingConfig.thinkingLevel, in the order of the bits of ModelRow::levels.
inline constexpr std::array<std::string_view, 5> kThinkingLevels = {"MINIMAL", "LOW", "MEDIUM",
                                                                    "HIGH", "XHIGH"};

/// What a model writes.
enum class Output : uint8_t { kText, kImage, kSpeech, kEmbedding };

/// What single models lack, although others of their generation have it.
enum class Feature : uint8_t {
  kJsonMode,           ///< Answers of the type application/json.
  kLogprobs,           ///< Log probabilities, on the Gemini API.
  kSystemInstruction,  ///< Google calls it developer instruction.
  kAudioInput,         ///< Models for speech lack it too.
  kFunctions,          ///< functionDeclarations.
  kGoogleSearch,       ///< The built-in tool.
  kUrlContext,         ///< The built-in tool.
  kCodeExecution,      ///< The built-in tool.
  kMultiTurn,          ///< Contents after the model's own.
};
inline constexpr size_t kFeatures = 9;

/// What serves a model. Only models of kGenerate answer generateContent.
enum class Api : uint8_t { kGenerate, kLive, kInteractions, kEmbed };

/// ModelRow::defaultLevel of a model that does not think unless it is told to, and of one whose
/// default is not known.
inline constexpr uint8_t kThinkingOff = kThinkingLevels.size();
inline constexpr uint8_t kNoLevel = kThinkingOff + 1;

/// Prices in USD per million tokens; storage per million tokens and hour. All 0 if unknown.
struct Price {
  double input = 0;
  double cached = 0;
  double storage = 0;
  double output = 0;
};

/// The last day that a Day can name, for models without a shutdown date.
inline constexpr Day kNever = UINT16_MAX;

/// One model, or a family of models. `id` has static storage, or belongs to the Catalogue.
struct ModelRow {
  std::string_view id;  ///< A prefix of model names; the longest matching id applies.
  Generation generation;
  Output output;
  uint8_t backends;  ///< Bit n: the row holds at backend n.
  Day from;          ///< The first day of the row; it holds until the next row of the id.
  Day retired;       ///< The day from which the service answers 404, or kNever.
  uint32_t contextTokens;
  uint32_t outputTokens;
  uint32_t cacheMinimum;     ///< The minimum number of tokens of a CachedContent.
  uint32_t implicitMinimum;  ///< That of implicit caching; 0 if there is none or it is unknown.
  bool explicitCache;
  int32_t bufferTokens;  ///< When recent turns exceed this, older ones move to layer 1.
  uint8_t levels;        ///< Bit n: the model takes kThinkingLevels[n].
  int32_t budgetLow;
  int32_t budgetHigh;  ///< -1: the model takes no thinkingBudget.
  bool thinkingOff;    ///< Whether a thinkingBudget of 0 is accepted.
  Price price;
  bool callIds = true;           ///< Whether functionCall and functionResponse may have an `id`.
  bool checksSignatures = true;  ///< Whether a step without a signature is rejected.
  uint16_t refused = 0;          ///< The features that the model lacks, one bit each.
  Api api = Api::kGenerate;
  uint8_t defaultLevel = kNoLevel;  ///< The index of the level without a thinkingLevel.
  bool officeFiles = false;         ///< Whether it reads Office and OpenDocument files.
  bool functionRole = false;  ///< Whether Vertex AI takes the role `function` from Gemini 3 on.

  bool takesBudget() const { return budgetHigh >= 0; }
  bool refuses(Feature feature) const {
    return (refused >> static_cast<unsigned>(feature) & 1U) != 0;
  }
};

/// Requests for `name` are served by the model `to`, from a day on.
struct Route {
  std::string_view name;
  std::string_view to;
  uint8_t backends;
  Day from;
  bool isAlias;  ///< The name never was a model's own.
};

/// Returns `model` without a leading "models/" or Vertex AI resource path; a view into `model`.
std::string_view bareModelName(std::string_view model);

}  // namespace strata::catalogue
