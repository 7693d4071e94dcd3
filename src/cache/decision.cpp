#include "cache/decision.h"

#include <array>

namespace strata::cache {

std::string_view decisionName(Decision decision) {
  constexpr std::array<std::string_view, 8> kNames = {
      "hit", "create", "extend", "roll", "inline", "below_minimum", "not_worth", "unsupported"};
  return kNames[static_cast<size_t>(decision)];
}

Choice decide(const DecisionInput& now) {
  const std::string tokens = "about " + std::to_string(now.stableTokens) + " stable tokens";
  if (!now.model->explicitCache) {
    return {Decision::kUnsupported, "the model has no explicit caching; " + tokens};
  }
  if (now.usable) return {Decision::kHit, tokens + " come from the cache"};
  if (now.stableTokens < now.model->cacheMinimum) {
    return {Decision::kBelowMinimum,
            tokens + "; a cache of this model needs " + std::to_string(now.model->cacheMinimum)};
  }
  return {Decision::kInline, tokens + (now.hasCache ? "; the cache can't be used for this request"
                                                    : "; no cache was given")};
}

}  // namespace strata::cache
