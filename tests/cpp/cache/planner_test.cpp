#include "cache/planner.h"

#include <gtest/gtest.h>

#include "catalogue/catalogue.h"

namespace strata::cache {
namespace {

class PlannerTest : public testing::Test {
 protected:
  // Plans one request, `wait` seconds after the previous one.
  Plan request(double wait, double cacheable, double prompt) {
    now_ += wait;
    PlanInput input{now_, prompt, cacheable, cacheTokens_, cacheEnds_, 4096};
    if (cacheEnds_ < now_) input.cacheTokens = 0;
    recordOutcome(state_, outcome_, model_.price);
    const Plan made = plan(state_, input, model_);
    const bool fresh = made.decision == Decision::kCreate || made.decision == Decision::kRoll;
    if (fresh) cacheTokens_ = cacheable;
    if (fresh || made.decision == Decision::kExtend) cacheEnds_ = now_ + made.ttl;
    const bool hit = fresh || input.cacheTokens > 0;
    outcome_ = {true, prompt, hit ? cacheTokens_ : implicit_ * cacheable, hit ? cacheTokens_ : 0};
    return made;
  }

  catalogue::Catalogue catalogue_;
  const catalogue::ModelRow& model_ = catalogue_.model("gemini-3.8-flash");
  PlannerState state_;
  Outcome outcome_;
  double now_ = 1000;
  double cacheTokens_ = 0;
  double cacheEnds_ = 0;
  double implicit_ = 0;
};

TEST_F(PlannerTest, NeedsTheMinimumTokensForACache) {
  EXPECT_EQ(request(0, 4095, 5000).decision, Decision::kBelowMinimum);
  EXPECT_EQ(request(10, 4096, 5000).decision, Decision::kCreate);
}

TEST_F(PlannerTest, CreatesNoCacheForAModelWithoutExplicitCaching) {
  const PlanInput input{0, 60000, 50000, 0, 0, 6144};
  PlannerState state;
  EXPECT_EQ(plan(state, input, catalogue_.model("gemini-4-argon")).decision,
            Decision::kUnsupported);
}

TEST_F(PlannerTest, ReplacesACacheWhenOverpaymentCoversItsCost) {
  request(0, 20000, 20500);
  double tokens = 20000;
  int requests = 0;
  Plan made;
  do {
    tokens += 600;
    made = request(30, tokens, tokens + 500);
    ASSERT_LT(++requests, 40);
  } while (made.decision != Decision::kRoll);
  // Rolling every 8th request is optimal if each request adds 600 tokens.
  EXPECT_GE(requests, 4);
  EXPECT_LE(requests, 12);
  EXPECT_GE(made.overpaid + made.savingPerRequest * 3, made.extraCost);
}

TEST_F(PlannerTest, LengthensTheTtlForASlowPaceButNotForRareRequests) {
  EXPECT_EQ(request(0, 20000, 20500).ttl, 300);
  request(400, 20000, 20500);
  EXPECT_EQ(request(10, 20000, 20500).ttl, 720);  // twice nine tenths of 400
  for (int i = 0; i < 8; ++i) request(20000, 20000, 20500);
  EXPECT_EQ(request(20000, 20000, 20500).decision, Decision::kNotWorth);
}

TEST_F(PlannerTest, CreatesNoCacheWhenImplicitCachingCoversThePrefix) {
  implicit_ = 0.95;
  request(0, 4000, 4500);
  for (int i = 0; i < 5; ++i) request(20, 4000, 4500);
  EXPECT_GT(state_.implicitRate, 0.9);
  EXPECT_EQ(request(20, 20000, 20500).decision, Decision::kNotWorth);
}

TEST_F(PlannerTest, ExtendsACacheWhileItIsUsed) {
  request(0, 20000, 20500);
  EXPECT_EQ(request(40, 20000, 20500).decision, Decision::kHit);
  EXPECT_EQ(request(200, 20000, 20500).decision, Decision::kExtend);
  EXPECT_GT(cacheEnds_, now_ + 200);
}

TEST_F(PlannerTest, UsesADefaultPriceForAModelOfUnknownPrice) {
  const catalogue::ModelRow& model = catalogue_.model("gemini-3-flash");
  ASSERT_EQ(model.price.input, 0);
  PlannerState state;
  const Plan made = plan(state, {0, 20500, 20000, 0, 0, 4096}, model);
  EXPECT_EQ(made.decision, Decision::kCreate);
  EXPECT_EQ(made.ttl, 300);
}

}  // namespace
}  // namespace strata::cache
