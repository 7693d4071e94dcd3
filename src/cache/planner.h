// Plans when to create, extend or replace a cache, from prices, the pace of the conversation and
// the share of tokens that implicit caching already covers. Uses no clock, network or randomness.
#pragma once

#include <cstdint>

#include "cache/decision.h"
#include "catalogue/model.h"

namespace strata::cache {

/// What the planner remembers of one conversation with one model. A plain value that the caller
/// keeps. Costs are tokens times USD per million tokens.
struct PlannerState {
  double requests = 0;
  double at = 0;         ///< Time of the last request, in seconds.
  double prompt = 0;     ///< Estimated prompt tokens of the last request.
  double cacheable = 0;  ///< Those of them that a cache could have held.
  double repeated = 0;   ///< Those of them that the request before had too.
  double wait = 0;       ///< Seconds between the last two requests.
  double written = 0;    ///< Cost of writing and keeping a cache with the last request.
  /// Requests that came while a cache was still worth keeping, and requests that came later. Older
  /// ones count less. Both start at one.
  double reuses = 1;
  double misses = 1;
  double pace = 0;          ///< Longest recent wait of a reuse, in seconds; decays.
  double implicitRate = 0;  ///< Share of the repeated tokens that implicit caching covered.
  double observed = 0;      ///< Number of requests that `implicitRate` was observed in.
  double overpaid = 0;      ///< Overpaid for repeated tokens since the last cache was created.
  double spent = 0;         ///< Cost of all requests so far.
  double never = 0;         ///< Cost of the same requests without any explicit cache.
};

/// The usageMetadata of the last response.
struct Outcome {
  bool known = false;
  double promptTokens = 0;
  double cachedTokens = 0;    ///< cachedContentTokenCount.
  double explicitTokens = 0;  ///< Tokens of the CachedContent that the request named, or 0.
};

/// The request to plan.
struct PlanInput {
  double now = 0;              ///< In seconds, from any origin.
  double promptTokens = 0;     ///< Tokens of the whole request without a cache.
  double cacheableTokens = 0;  ///< Tokens that a cache created now would hold.
  double cacheTokens = 0;      ///< Tokens of the live cache that fits this request, or 0.
  double cacheEnds = 0;        ///< When that cache expires, in seconds.
  double minimumTokens = 0;    ///< Minimum size of a cache.
};

/// The result of planning one request. Costs are in the unit of PlannerState.
struct Plan {
  Decision decision = Decision::kInline;
  double ttl = 0;               ///< TTL of a cache from now on, in seconds.
  double extraCost = 0;         ///< Cost of a new cache above the cost of this request without it.
  double savingPerRequest = 0;  ///< What a new cache would save in each later request.
  double expectedRequests = 0;  ///< Later requests that are expected while the cache lives.
  double overpaid = 0;          ///< PlannerState::overpaid before this request.
};

/// Updates `state` with the outcome of the last request. Does nothing if it is not known.
void recordOutcome(PlannerState& state, const Outcome& outcome, const catalogue::Price& price);

/// Plans one request and records it in `state`. A price of 0 means unknown and is replaced by a
/// default.
///
/// A first cache is created if the expected savings of later requests exceed its extra cost. That
/// cost is small, because the tokens must be sent anyway.
///
/// A cache is replaced as in the ski rental problem, because the new one pays again for what the
/// old one holds: the planner waits until the amount overpaid for tokens after the old cache, plus
/// the savings of at most three later requests, reaches the extra cost.
///
/// A cache is extended while a request is expected before its storage costs more than it saves.
///
/// No cache is created if the total cost would exceed twice the cost of never caching. That cost is
/// an estimate: implicit caching is only observed in requests that name no cache.
///
/// Source of the prices: "Gemini Developer API pricing",
/// https://ai.google.dev/gemini-api/docs/pricing.
Plan plan(PlannerState& state, const PlanInput& input, const catalogue::ModelRow& model);

}  // namespace strata::cache
