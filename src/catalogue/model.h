// Defines the row of a model: its generation, limits, thinking options and prices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/rule.h"

namespace strata::catalogue {

/// The values of thinkingConfig.thinkingLevel that a model accepts.
enum class ThinkingLevels : uint8_t { kNone, kNoMinimal, kAll };

/// What single models lack, although others of their generation have it.
enum class Feature : uint8_t {
  kJsonMode,           ///< Answers of the type application/json.
  kLogprobs,           ///< Log probabilities, on the Gemini API.
  kSystemInstruction,  ///< Google calls it developer instruction.
  kAudioInput,
  kTextAnswers,  ///< A model for speech answers in audio only.
};
inline constexpr size_t kFeatures = 5;

/// Prices in USD per million tokens; storage per million tokens and hour. All 0 if unknown.
struct Price {
  double input = 0;
  double cached = 0;
  double storage = 0;
};

/// One model, or a family of models. `id` has static storage, or belongs to the Catalogue.
struct ModelRow {
  std::string_view id;  ///< A prefix of model names; the longest matching id applies.
  Generation generation;
  uint32_t contextTokens;
  uint32_t outputTokens;
  uint32_t cacheMinimum;  ///< The minimum number of tokens of a CachedContent.
  bool explicitCache;
  int32_t bufferTokens;  ///< When recent turns exceed this, older ones move to layer 1.
  ThinkingLevels levels;
  int32_t budgetLow;
  int32_t budgetHigh;
  bool thinkingOff;  ///< Whether a thinkingBudget of 0 is accepted.
  Price price;
  bool callIds = true;           ///< Whether functionCall and functionResponse may have an `id`.
  bool checksSignatures = true;  ///< Whether a step without a signature is rejected.
  uint8_t refused = 0;           ///< The features that the model lacks, one bit each.

  bool refuses(Feature feature) const {
    return (refused >> static_cast<unsigned>(feature) & 1U) != 0;
  }
};

/// Returns `model` without a leading "models/" or Vertex AI resource path; a view into `model`.
std::string_view bareModelName(std::string_view model);

}  // namespace strata::catalogue
