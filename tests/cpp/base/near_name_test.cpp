#include "base/near_name.h"

#include <gtest/gtest.h>

#include <utility>

namespace strata {
namespace {

TEST(NearName, AcceptsOneTypingError) {
  for (const std::string_view given :
       {"temprature", "temparature", "temperatuer", "temperatures", "temperature", "Temperature"}) {
    EXPECT_TRUE(isNearName(given, "temperature")) << given;
  }
  EXPECT_TRUE(isNearName("modle", "model"));
  EXPECT_TRUE(isNearName("tool", "tools"));
}

TEST(NearName, AcceptsTwoInLongNames) {
  EXPECT_TRUE(isNearName("generationConig", "generationConfig"));
  EXPECT_TRUE(isNearName("genrationConig", "generationConfig"));
  EXPECT_FALSE(isNearName("genratonConig", "generationConfig"));
  EXPECT_TRUE(isNearName("paramters", "parameters"));
  EXPECT_FALSE(isNearName("paramtes", "parameters"));
}

TEST(NearName, AcceptsOtherCases) {
  EXPECT_TRUE(isNearName("topp", "topP"));
  EXPECT_TRUE(isNearName("MAXOUTPUTTOKENS", "maxOutputTokens"));
}

TEST(NearName, RefusesOtherNames) {
  for (const auto& [given, name] : {std::pair{"topN", "topK"},
                                    {"siteSearch", "fileSearch"},
                                    {"", "model"},
                                    {"model", ""},
                                    {"name", "names!!"},
                                    {"maxTokens", "maxOutputTokens"}}) {
    EXPECT_FALSE(isNearName(given, name)) << given;
  }
}

}  // namespace
}  // namespace strata
