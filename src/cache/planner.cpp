#include "cache/planner.h"

#include <algorithm>

namespace strata::cache {
namespace {

constexpr double kHour = 3600;
constexpr double kMinTtl = 60;
constexpr double kDefaultTtl = 300;      // while the pace is unknown
constexpr double kDefaultWait = 60;      // while the pace is unknown
constexpr double kTtlPerPace = 2;        // allows for longer waits
constexpr double kDecay = 0.9;           // weight of older requests
constexpr double kMaxLookAhead = 3;      // requests whose savings may be expected
constexpr double kImplicitWindow = 300;  // later misses say nothing about implicit caching
constexpr double kMaxObserved = 6;       // so that newer observations count
constexpr double kMaxSpendRatio = 2;     // times the cost of never caching

// Used if a row has no price: cached reads at a tenth of the input price, and the ratio of storage
// to input price of gemini-2.5-pro.
constexpr catalogue::Price kUnknownPrice = {1, 0.1, 3.6};

catalogue::Price priceOrDefault(const catalogue::Price& price) {
  return price.input > 0 ? price : kUnknownPrice;
}

// Returns the seconds after which storing a token has cost as much as reading it from the cache
// saves.
double horizon(const catalogue::Price& price) {
  if (price.storage <= 0) return kHour;
  return (price.input - price.cached) / price.storage * kHour;
}

double storage(const catalogue::Price& price, double tokens, double seconds) {
  return price.storage * tokens * seconds / kHour;
}

class Planner {
 public:
  Planner(PlannerState& state, const PlanInput& input, const catalogue::ModelRow& model)
      : state_(state), input_(input), model_(model), price_(priceOrDefault(model.price)) {}

  Plan run() {
    updatePace();
    computeCosts();
    plan_.decision = choose();
    recordRequest();
    return plan_;
  }

 private:
  bool hasCache() const { return input_.cacheTokens > 0; }

  // Updates the pace and the expected number of requests with this request.
  void updatePace() {
    const double maxTtl = horizon(price_);
    if (state_.requests > 0) {
      const double wait = std::max(0.0, input_.now - state_.at);
      const bool isReuse = wait <= maxTtl;
      state_.reuses = 1 + (state_.reuses - 1) * kDecay + (isReuse ? 1 : 0);
      state_.misses = 1 + (state_.misses - 1) * kDecay + (isReuse ? 0 : 1);
      if (isReuse) state_.pace = std::max(wait, state_.pace * kDecay);
    }
    const double wanted = state_.pace > 0 ? state_.pace * kTtlPerPace : kDefaultTtl;
    plan_.ttl = std::min(maxTtl, std::max(kMinTtl, wanted));
    plan_.expectedRequests = state_.reuses / state_.misses;
  }

  void computeCosts() {
    const double tokens = input_.cacheableTokens;
    const double fresh = std::max(0.0, tokens - input_.cacheTokens);
    repeatedTokenCost_ = price_.input - state_.implicitRate * (price_.input - price_.cached);
    savingPerToken_ = repeatedTokenCost_ - price_.cached -
                      storage(price_, 1, state_.pace > 0 ? state_.pace : kDefaultWait);
    writeCost_ = price_.input * tokens + storage(price_, tokens, plan_.ttl);
    plan_.extraCost = writeCost_ + price_.cached * tokens - repeatedTokenCost_ * fresh -
                      price_.cached * input_.cacheTokens;
    plan_.savingPerRequest = savingPerToken_ * fresh;
    plan_.overpaid = state_.overpaid;
    costWithoutCache_ = repeatedTokenCost_ * tokens + price_.input * (input_.promptTokens - tokens);
  }

  bool isAffordable() const {
    const double cost = writeCost_ + price_.cached * input_.cacheableTokens +
                        price_.input * (input_.promptTokens - input_.cacheableTokens);
    return state_.spent + cost <= kMaxSpendRatio * (state_.never + costWithoutCache_);
  }

  bool shouldCreate() const {
    return plan_.expectedRequests * plan_.savingPerRequest > plan_.extraCost && isAffordable();
  }

  bool shouldRoll() const {
    const double ahead = plan_.savingPerRequest * std::min(plan_.expectedRequests, kMaxLookAhead);
    return plan_.savingPerRequest > 0 && state_.overpaid + ahead >= plan_.extraCost &&
           isAffordable();
  }

  bool shouldExtend() const {
    return input_.cacheEnds - input_.now < plan_.ttl / 2 && savingPerToken_ > 0;
  }

  Decision choose() const {
    if (!model_.explicitCache) return Decision::kUnsupported;
    const bool enough = input_.cacheableTokens >= input_.minimumTokens;
    if (hasCache()) {
      if (enough && shouldRoll()) return Decision::kRoll;
      return shouldExtend() ? Decision::kExtend : Decision::kHit;
    }
    if (!enough) return Decision::kBelowMinimum;
    return shouldCreate() ? Decision::kCreate : Decision::kNotWorth;
  }

  void recordRequest() {
    const double repeated =
        std::max(0.0, std::min(input_.cacheableTokens, state_.cacheable) - input_.cacheTokens);
    state_.written = 0;
    if (plan_.decision == Decision::kCreate || plan_.decision == Decision::kRoll) {
      state_.overpaid = 0;
      state_.written = writeCost_;
    } else {
      state_.overpaid += std::max(0.0, savingPerToken_) * repeated;
    }
    if (plan_.decision == Decision::kExtend) {
      const double extraSeconds = input_.now + plan_.ttl - input_.cacheEnds;
      state_.written = storage(price_, input_.cacheTokens, extraSeconds);
    }
    state_.repeated = std::min(input_.cacheableTokens, state_.cacheable);
    state_.wait = state_.requests > 0 ? input_.now - state_.at : kHour;
    state_.at = input_.now;
    state_.prompt = input_.promptTokens;
    state_.cacheable = input_.cacheableTokens;
    ++state_.requests;
  }

  PlannerState& state_;
  const PlanInput& input_;
  const catalogue::ModelRow& model_;
  const catalogue::Price price_;
  Plan plan_;
  double repeatedTokenCost_ = 0;  // per repeated token that no explicit cache holds
  double savingPerToken_ = 0;     // per cached token and request
  double writeCost_ = 0;          // cost of creating a cache
  double costWithoutCache_ = 0;   // cost of this request
};

}  // namespace

void recordOutcome(PlannerState& state, const Outcome& outcome, const catalogue::Price& listPrice) {
  if (!outcome.known) return;
  const catalogue::Price price = priceOrDefault(listPrice);
  const double saved = price.input - price.cached;
  const double prompt = outcome.promptTokens;
  if (outcome.explicitTokens > 0) {
    state.spent += state.written + price.input * prompt - saved * outcome.explicitTokens;
    state.never += price.input * prompt - saved * state.implicitRate * state.cacheable;
    return;
  }
  const double cost = price.input * prompt - saved * std::min(prompt, outcome.cachedTokens);
  state.spent += cost;
  state.never += cost;
  if (state.repeated <= 0 || state.wait > kImplicitWindow) return;
  const double share = std::min(1.0, outcome.cachedTokens / state.repeated);
  state.observed = std::min(kMaxObserved, state.observed + 1);
  state.implicitRate += (share - state.implicitRate) / state.observed;
}

Plan plan(PlannerState& state, const PlanInput& input, const catalogue::ModelRow& model) {
  return Planner(state, input, model).run();
}

}  // namespace strata::cache
