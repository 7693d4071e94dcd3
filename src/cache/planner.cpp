#include "cache/planner.h"

#include <algorithm>

namespace strata::cache {
namespace {

constexpr double kHour = 3600;
constexpr double kShortestTtl = 60;
constexpr double kFirstTtl = 300;        // while the pace is not known
constexpr double kFirstWait = 60;        // likewise
constexpr double kTtlOfPace = 2;         // waits vary
constexpr double kMemory = 0.9;          // what a request leaves of the ones before
constexpr double kLookAhead = 3;         // requests for which a tail may be expected to stay
constexpr double kImplicitWindow = 300;  // behind it a miss says nothing
constexpr double kMostObserved = 6;      // so that the share can change
constexpr double kMostSpent = 2;         // times the price of never caching

// Where a row has no price: a read at a tenth, and storage as dear as on any model.
constexpr catalogue::Price kUnknownPrice = {1, 0.1, 3.6};

catalogue::Price known(const catalogue::Price& price) {
  return price.input > 0 ? price : kUnknownPrice;
}

// Seconds after which keeping a token has cost what reading it from the cache saved.
double horizon(const catalogue::Price& price) {
  if (price.storage <= 0) return kHour;
  return (price.input - price.cached) / price.storage * kHour;
}

double storage(const catalogue::Price& price, double tokens, double seconds) {
  return price.storage * tokens * seconds / kHour;
}

class Planner {
 public:
  Planner(PlannerState& state, const Occasion& now, const catalogue::ModelRow& model)
      : state_(state), now_(now), model_(model), price_(known(model.price)) {}

  Plan run() {
    listen();
    weigh();
    plan_.decision = choose();
    note();
    return plan_;
  }

 private:
  bool hasCache() const { return now_.cacheTokens > 0; }

  // The pace, now that one more request came.
  void listen() {
    const double most = horizon(price_);
    if (state_.requests > 0) {
      const double wait = std::max(0.0, now_.now - state_.at);
      const bool near = wait <= most;
      state_.reuses = 1 + (state_.reuses - 1) * kMemory + (near ? 1 : 0);
      state_.misses = 1 + (state_.misses - 1) * kMemory + (near ? 0 : 1);
      if (near) state_.pace = std::max(wait, state_.pace * kMemory);
    }
    const double wanted = state_.pace > 0 ? state_.pace * kTtlOfPace : kFirstTtl;
    plan_.ttl = std::min(most, std::max(kShortestTtl, wanted));
    plan_.expected = state_.reuses / state_.misses;
  }

  void weigh() {
    const double tokens = now_.cacheableTokens;
    const double fresh = std::max(0.0, tokens - now_.cacheTokens);
    // What a repeated token costs where no cache holds it.
    inline_ = price_.input - state_.implicitRate * (price_.input - price_.cached);
    saving_ =
        inline_ - price_.cached - storage(price_, 1, state_.pace > 0 ? state_.pace : kFirstWait);
    write_ = price_.input * tokens + storage(price_, tokens, plan_.ttl);
    plan_.extra =
        write_ + price_.cached * tokens - inline_ * fresh - price_.cached * now_.cacheTokens;
    plan_.gain = saving_ * fresh;
    plan_.overpaid = state_.overpaid;
    without_ = inline_ * tokens + price_.input * (now_.promptTokens - tokens);
  }

  bool isAffordable() const {
    const double cost = write_ + price_.cached * now_.cacheableTokens +
                        price_.input * (now_.promptTokens - now_.cacheableTokens);
    return state_.spent + cost <= kMostSpent * (state_.never + without_);
  }

  bool shouldCreate() const { return plan_.expected * plan_.gain > plan_.extra && isAffordable(); }

  bool shouldRoll() const {
    const double ahead = plan_.gain * std::min(plan_.expected, kLookAhead);
    return plan_.gain > 0 && state_.overpaid + ahead >= plan_.extra && isAffordable();
  }

  bool shouldExtend() const { return now_.cacheEnds - now_.now < plan_.ttl / 2 && saving_ > 0; }

  Decision choose() const {
    if (!model_.explicitCache) return Decision::kUnsupported;
    const bool enough = now_.cacheableTokens >= now_.minimumTokens;
    if (hasCache()) {
      if (enough && shouldRoll()) return Decision::kRoll;
      return shouldExtend() ? Decision::kExtend : Decision::kHit;
    }
    if (!enough) return Decision::kBelowMinimum;
    return shouldCreate() ? Decision::kCreate : Decision::kNotWorth;
  }

  void note() {
    const double repeated =
        std::max(0.0, std::min(now_.cacheableTokens, state_.cacheable) - now_.cacheTokens);
    state_.written = 0;
    if (plan_.decision == Decision::kCreate || plan_.decision == Decision::kRoll) {
      state_.overpaid = 0;
      state_.written = write_;
    } else {
      state_.overpaid += std::max(0.0, saving_) * repeated;
    }
    if (plan_.decision == Decision::kExtend) {
      const double longer = now_.now + plan_.ttl - now_.cacheEnds;
      state_.written = storage(price_, now_.cacheTokens, longer);
    }
    state_.repeated = std::min(now_.cacheableTokens, state_.cacheable);
    state_.wait = state_.requests > 0 ? now_.now - state_.at : kHour;
    state_.at = now_.now;
    state_.prompt = now_.promptTokens;
    state_.cacheable = now_.cacheableTokens;
    ++state_.requests;
  }

  PlannerState& state_;
  const Occasion& now_;
  const catalogue::ModelRow& model_;
  const catalogue::Price price_;
  Plan plan_;
  double inline_ = 0;
  double saving_ = 0;   // of one token that is cached, a request
  double write_ = 0;    // a new cache
  double without_ = 0;  // this request, without a cache
};

}  // namespace

void settle(PlannerState& state, const Outcome& outcome, const catalogue::Price& given) {
  if (!outcome.known) return;
  const catalogue::Price price = known(given);
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
  state.observed = std::min(kMostObserved, state.observed + 1);
  state.implicitRate += (share - state.implicitRate) / state.observed;
}

Plan plan(PlannerState& state, const Occasion& occasion, const catalogue::ModelRow& model) {
  return Planner(state, occasion, model).run();
}

}  // namespace strata::cache
