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

TEST(NearModelName, AcceptsOneErrorInEachSegment) {
  for (const std::string_view given : {"gemini-3.8-flahs", "gemeni-3.8-flsh", "gemini3.8-flash",
                                       "gemini-3-8-flash", "GEMINI-3.8-FLASH"}) {
    EXPECT_TRUE(isNearModelName(given, "gemini-3.8-flash")) << given;
  }
}

TEST(NearModelName, RefusesOtherVersionsAndOtherNames) {
  for (const std::string_view given : {"gemini-3.9-flash", "gemini-3.8-flash-lite",
                                       "gemini-8.3-flash", "gemini-3.8-pro", "gemini-3.8", ""}) {
    EXPECT_FALSE(isNearModelName(given, "gemini-3.8-flash")) << given;
  }
  EXPECT_FALSE(isNearModelName("gemini-4-xenon", "gemini-4-neon"));
  EXPECT_FALSE(isNearModelName("gemini-4-radon", "gemini-4-argon"));
}

}  // namespace
}  // namespace strata
