// Why this file exists: a cache that is never read again costs more than none, and so does a
// history that is paid in full again and again. Which of both threatens is arithmetic: prices, the
// pace of this conversation, and what the service already gives away. No clock, no network, no
// randomness.
#pragma once

#include <cstdint>

#include "cache/decision.h"
#include "catalogue/model.h"

namespace strata::cache {

/// All that is remembered of one conversation with one model. A plain value, for a caller to keep.
/// Money is tokens times USD a million.
struct PlannerState {
  double requests = 0;
  double at = 0;         ///< When the last request was made, in seconds.
  double prompt = 0;     ///< Its tokens, as estimated.
  double cacheable = 0;  ///< Those of them that a cache could have held.
  double repeated = 0;   ///< Those of these that the request before had, too.
  double wait = 0;       ///< Seconds since the request before.
  double written = 0;    ///< What was to be paid for writing and keeping caches then.
  /// Requests that came while a cache would still have been worth keeping, and those that came
  /// later; older ones count less, and one of each is assumed.
  double reuses = 1;
  double misses = 1;
  double pace = 0;          ///< The longest of the recent near waits, in seconds; it decays.
  double implicitRate = 0;  ///< Share of the repeated tokens that the service cached by itself.
  double observed = 0;      ///< Requests that this share was seen in.
  double overpaid = 0;      ///< Paid too much for repeated tokens since the last cache was made.
  double spent = 0;
  double never = 0;  ///< What never caching would have cost.
};

/// What the last request's usageMetadata said.
struct Outcome {
  bool known = false;
  double promptTokens = 0;
  double cachedTokens = 0;    ///< cachedContentTokenCount.
  double explicitTokens = 0;  ///< Of the CachedContent that it named; 0: it named none.
};

/// The request to be planned.
struct Occasion {
  double now = 0;              ///< In seconds, from any start.
  double promptTokens = 0;     ///< Of the whole request, were it sent without a cache.
  double cacheableTokens = 0;  ///< Of a cache that was made now.
  double cacheTokens = 0;      ///< Of the cache that lives and fits this request; 0: there is none.
  double cacheEnds = 0;        ///< When it ends, in seconds.
  double minimumTokens = 0;    ///< Below which no cache can be made.
};

struct Plan {
  Decision decision = Decision::kInline;
  double ttl = 0;       ///< How long a cache is to live from now on, in seconds.
  double extra = 0;     ///< What a new cache costs more than this request costs without it.
  double gain = 0;      ///< What it would save each further request.
  double expected = 0;  ///< How many further requests are expected while it lives.
  double overpaid = 0;
};

/// Takes what came of the last request into the state.
void settle(PlannerState& state, const Outcome& outcome, const catalogue::Price& price);

/// Decides about one request and notes it in the state.
///
/// The cost of making a cache is small where the tokens must be sent anyway: they are paid once, at
/// the price of input, and read once more. So a first cache is made when the saving expected of the
/// requests to come is higher. Replacing one repeats what was paid for: as in ski rental, that
/// waits until what was paid too much for the tail behind the old cache (and is about to be, for
/// few requests) is as much. A cache is kept while a request may be expected before keeping it
/// costs more than a new one. No cache is made where all that was spent would be more than twice
/// what never caching would have cost, as far as that is known: what the service would have cached
/// by itself is seen only in requests that name no cache.
Plan plan(PlannerState& state, const Occasion& occasion, const catalogue::ModelRow& model);

}  // namespace strata::cache
