#include "cache/decision.h"

#include <gtest/gtest.h>

#include "catalogue/catalogue.h"

namespace strata::cache {
namespace {

class DecisionTest : public testing::Test {
 protected:
  Choice choose(const char* model, bool hasCache, bool usable, uint32_t tokens) {
    return decide({&catalogue_.model(model), hasCache, usable, tokens});
  }

  catalogue::Catalogue catalogue_;
};

TEST_F(DecisionTest, DependsOnTheModelTheCacheAndTheMinimum) {
  EXPECT_EQ(choose("gemini-2.5-pro", true, true, 10).decision, Decision::kHit);
  EXPECT_EQ(choose("gemini-2.5-pro", true, false, 2048).decision, Decision::kInline);
  EXPECT_EQ(choose("gemini-2.5-pro", false, false, 2048).decision, Decision::kInline);
  EXPECT_EQ(choose("gemini-2.5-pro", false, false, 2047).decision, Decision::kBelowMinimum);
  EXPECT_EQ(choose("gemini-4-argon", true, true, 50000).decision, Decision::kUnsupported);
}

TEST_F(DecisionTest, ReasonContainsTheTokenCounts) {
  const std::string reason = choose("gemini-2.5-pro", false, false, 12).reason;
  EXPECT_NE(reason.find("12"), std::string::npos);
  EXPECT_NE(reason.find("2048"), std::string::npos);
}

TEST_F(DecisionTest, UsesTheManifestNames) {
  EXPECT_EQ(decisionName(Decision::kHit), "hit");
  EXPECT_EQ(decisionName(Decision::kInline), "inline");
  EXPECT_EQ(decisionName(Decision::kBelowMinimum), "below_minimum");
  EXPECT_EQ(decisionName(Decision::kUnsupported), "unsupported");
}

}  // namespace
}  // namespace strata::cache
