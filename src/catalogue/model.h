// Why this file exists: what differs between models is data, one row a model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/rule.h"

namespace strata::catalogue {

/// Which values of thinkingConfig.thinkingLevel a model takes.
enum class ThinkingLevels : uint8_t { kNone, kNoMinimal, kAll };

/// USD a million tokens, storage also an hour. All 0: not known.
struct Price {
  double input = 0;
  double cached = 0;
  double storage = 0;
};

struct ModelRow {
  std::string_view id;  ///< Models whose name starts with it have this row, the longest id first.
  Generation generation;
  uint32_t contextTokens;
  uint32_t outputTokens;
  uint32_t cacheMinimum;  ///< Tokens below which no CachedContent can be created.
  bool explicitCache;
  int32_t bufferTokens;  ///< Tokens of recent turns at which older ones move to layer 1.
  ThinkingLevels levels;
  int32_t budgetLow;
  int32_t budgetHigh;
  bool thinkingOff;  ///< A thinkingBudget of 0 is taken.
  Price price;
  bool callIds = true;           ///< functionCall and functionResponse may have an `id`.
  bool checksSignatures = true;  ///< A step without its signature is refused.
};

/// `model` without a leading "models/" or a Vertex resource path.
std::string_view bareModelName(std::string_view model);

}  // namespace strata::catalogue
