// Why this file exists: what a request does about the cache is one decision, with its reason told
// in numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue/model.h"

namespace strata::cache {

enum class Decision : uint8_t {
  kHit,
  kCreate,
  kExtend,
  kRoll,
  kInline,
  kBelowMinimum,
  kNotWorth,
  kUnsupported,
};

/// As the manifest spells it.
std::string_view decisionName(Decision decision);

/// What is known when a request is made.
struct Situation {
  const catalogue::ModelRow* model = nullptr;
  bool hasCache = false;
  bool usable = false;        ///< The cache holds just what this request would cache.
  uint32_t stableTokens = 0;  ///< Of what would be cached.
};

struct Choice {
  Decision decision;
  std::string reason;
};

Choice decide(const Situation& situation);

}  // namespace strata::cache
