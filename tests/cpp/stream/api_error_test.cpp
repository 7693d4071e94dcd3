#include "stream/api_error.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::stream {
namespace {

TEST(ApiError, ParsesProtobufDurations) {
  EXPECT_EQ(durationMs("34.4s"), 34400);
  EXPECT_EQ(durationMs("0s"), 0);
  EXPECT_EQ(durationMs("2.000000001s"), 2000);
  EXPECT_EQ(durationMs("0.123456789s"), 123);
  EXPECT_EQ(durationMs("900ms"), 900);
  EXPECT_EQ(durationMs("1234567890s"), 1234567890000);
  EXPECT_EQ(durationMs("0.987s"), 987);
  for (const char* text : {"", "s", "5", "5m", "-1s", "1.5.s", " 1s", "1s "}) {
    EXPECT_EQ(durationMs(text), -1) << text;
  }
}

TEST(ApiError, FindsTheErrorInEveryWrapping) {
  const std::string inner =
      R"({"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"@type":"x"},{"retryDelay":"3s"}]})";
  for (const std::string& text : {R"({"error":)" + inner + "}", R"([{"error":)" + inner + "}]",
                                  R"({"error":{"error":)" + inner + "}}"}) {
    const test::Json json(text);
    const auto error = findApiError(json.root());
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code, 429);
    EXPECT_EQ(error->status, "RESOURCE_EXHAUSTED");
    EXPECT_EQ(error->message, "m");
    EXPECT_EQ(error->retryAfterMs, 3000);
    EXPECT_EQ(error->details, R"([{"@type":"x"},{"retryDelay":"3s"}])");
  }
}

TEST(ApiError, IgnoresOtherJson) {
  for (const char* text : {"{}", "[]", "null", R"({"error":"x"})", R"({"candidates":[]})"}) {
    EXPECT_FALSE(findApiError(test::Json(text).root())) << text;
  }
}

}  // namespace
}  // namespace strata::stream
