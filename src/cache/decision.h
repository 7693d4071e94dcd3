// Decides whether a request uses an explicit cache, and states the reason in numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/model.h"

namespace strata::cache {

/// What to do about the cache. `decide` returns kHit, kInline, kBelowMinimum or kUnsupported; the
/// planner returns the others as well, and never kInline.
enum class Decision : uint8_t {
  kHit,           ///< Use the cache.
  kCreate,        ///< Create a cache.
  kExtend,        ///< Use the cache and prolong its TTL.
  kRoll,          ///< Replace the cache with one that holds more.
  kInline,        ///< Send everything in the request.
  kBelowMinimum,  ///< Too few tokens for a cache of this model.
  kNotWorth,      ///< A cache would cost more than it saves.
  kUnsupported,   ///< The model has no explicit caching.
};

/// Returns the decision as the manifest spells it.
std::string_view decisionName(Decision decision);

/// What is known when a request is assembled.
struct DecisionInput {
  const catalogue::ModelRow* model = nullptr;  ///< Must not be null.
  bool hasCache = false;
  bool usable = false;        ///< The cache holds exactly what this request would cache.
  uint32_t stableTokens = 0;  ///< Tokens that a cache would hold.
};

/// A decision and its reason for the manifest.
struct Choice {
  Decision decision;
  std::string reason;
};

/// Returns the decision for one request. The minimum comes from the model's row.
///
/// Source: "Context caching", https://ai.google.dev/gemini-api/docs/generate-content/caching.
Choice decide(const DecisionInput& situation);

}  // namespace strata::cache
