// Tests the reading of assemble options.
#include "layers/input.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::layers {
namespace {

using test::Json;

// Reads options with `now` and `rest` into `input`. Returns the path of the error, or "none".
std::string read(const std::string& rest, AssembleInput& input) {
  const Json options(R"({"now":"2026-11-21T10:00:00Z")" + rest + "}");
  const Status status = readOptions(json::OptionsReader(options.root()), input);
  return status ? "none" : status.error().path;
}

std::string pathOf(const std::string& rest) {
  AssembleInput input;
  return read(rest, input);
}

TEST(Options, FillTheInput) {
  AssembleInput input;
  EXPECT_EQ(read(R"(,"static":{"role":"user"},"dynamic":{"placement":"before-current-turn"},
      "cachedHistory":"contents","bufferTokens":7,"strict":true,
      "cache":{"name":"c","model":"m","turns":2,"key":"k"})",
                 input),
            "none");
  EXPECT_TRUE(input.staticAsUser && input.dynamicBeforeTurn && input.cacheContents);
  EXPECT_TRUE(input.strict && input.hasCache && input.hasBufferTokens);
  EXPECT_EQ(input.bufferTokens, 7);
  EXPECT_EQ(input.cache.name + input.cache.model + input.cache.key, "cmk");
  EXPECT_EQ(input.cache.turns, 2U);
}

TEST(Options, HaveDefaults) {
  AssembleInput input;
  EXPECT_EQ(read(R"(,"cache":null)", input), "none");
  EXPECT_FALSE(input.staticAsUser || input.dynamicBeforeTurn || input.cacheContents);
  EXPECT_FALSE(input.strict || input.hasCache || input.hasBufferTokens);
}

TEST(Options, RejectInvalidValuesWithTheirPath) {
  EXPECT_EQ(pathOf(R"(,"static":{"role":"model"})"), "/static/role");
  EXPECT_EQ(pathOf(R"(,"dynamic":{"placement":1})"), "/dynamic/placement");
  EXPECT_EQ(pathOf(R"(,"cachedHistory":"both")"), "/cachedHistory");
  EXPECT_EQ(pathOf(R"(,"bufferTokens":"7")"), "/bufferTokens");
  EXPECT_EQ(pathOf(R"(,"strict":"yes")"), "/strict");
  EXPECT_EQ(pathOf(R"(,"bufferTokens":1e400)"), "/bufferTokens");
  EXPECT_EQ(pathOf(R"(,"cache":"c")"), "/cache");
  EXPECT_EQ(pathOf(R"(,"cache":{"name":"c","model":"m","turns":-1,"key":"k"})"), "/cache/turns");
  EXPECT_EQ(pathOf(R"(,"cache":{"name":"c","model":"m","turns":1})"), "/cache/key");
}

TEST(Options, KeepTheBytesOfFieldsOutsideThePrompt) {
  const Json options(
      R"({"now":"2026-11-21T10:00:00Z","store":false,"serviceTier":"\u0066lex","labels":{ "a":"b"}})");
  AssembleInput input;
  ASSERT_TRUE(readOptions(json::OptionsReader(options.root()), input));
  EXPECT_EQ(input.store, "false");
  EXPECT_EQ(input.serviceTier, R"("\u0066lex")");
  EXPECT_EQ(input.labels, R"({ "a":"b"})");
  EXPECT_EQ(pathOf(R"(,"store":"yes")"), "/store");
  EXPECT_EQ(pathOf(R"(,"store":null)"), "/store");
  EXPECT_EQ(pathOf(R"(,"serviceTier":1)"), "/serviceTier");
  EXPECT_EQ(pathOf(R"(,"labels":[])"), "/labels");
  EXPECT_EQ(pathOf(R"(,"labels":{"a/b":1})"), "/labels/a~1b");
}

TEST(Options, AcceptAnyNumberOfTokens) {
  const auto tokens = [](const std::string& number) {
    AssembleInput input;
    read(",\"bufferTokens\":" + number, input);
    return input.bufferTokens;
  };
  EXPECT_EQ(tokens("1e3"), 1000);
  EXPECT_EQ(tokens("2500.5"), 2501);
  EXPECT_EQ(tokens("0"), 0);
  EXPECT_EQ(tokens("-7"), -1);
  EXPECT_EQ(tokens("1e30"), 1000000000000000);
}

TEST(Options, AcceptOnlyRfc3339Timestamps) {
  const auto accepts = [](const std::string& now) {
    AssembleInput input;
    const Json options(R"({"now":")" + now + "\"}");
    return static_cast<bool>(readOptions(json::OptionsReader(options.root()), input));
  };
  for (const char* good : {"2026-11-21T10:00:00Z", "2026-11-21T10:00:00.123456Z",
                           "2026-11-21t10:00:00+05:30", "2026-11-21 10:00:00z"}) {
    EXPECT_TRUE(accepts(good)) << good;
  }
  for (const char* bad : {"", "now", "2026-11-21", "2026-11-21T10:00:00", "21.11.2026 10:00:00Z",
                          "2026-11-21T10:00Z", "2026/11/21T10:00:00Z"}) {
    EXPECT_FALSE(accepts(bad)) << bad;
  }
}

}  // namespace
}  // namespace strata::layers
