#include "gemini/content_queries.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::gemini {
namespace {

using test::content;
using test::Json;
using test::text;

std::string calls(const std::string& bytes) {
  const Json read(bytes);
  json::Writer out;
  writeCalls(out, openCallsOf(read.root()));
  return out.take();
}

TEST(ContentQueries, JoinsTextsWithoutThoughts) {
  const Json read(content("model", {text("a\\u00e9"), R"({"text":"hm","thought":true})",
                                    R"({"thought":false,"text":"\n"})",
                                    R"({"functionCall":{"name":"f"}})", R"({"text":5})"}));
  EXPECT_EQ(spokenText(read.root()), "a\\u00e9\\n");
  EXPECT_EQ(spokenText(json::Value()), "");
}

TEST(ContentQueries, KnowsABlankContent) {
  const auto blank = [](const std::vector<std::string>& parts) {
    const Json read(content("model", parts));
    return isBlank(read.root());
  };
  EXPECT_TRUE(blank({}));
  EXPECT_TRUE(blank({text("")}));
  EXPECT_TRUE(blank({text(""), R"({"text":"","thought":true})"}));
  EXPECT_FALSE(blank({text(""), text(" ")}));
  EXPECT_FALSE(blank({R"({"text":"","thoughtSignature":"AA"})"}));
  EXPECT_FALSE(blank({R"({"thought_signature":"AA","text":""})"}));
  EXPECT_FALSE(blank({R"({"functionCall":{"name":"f"}})"}));
  EXPECT_TRUE(isBlank(json::Value()));
}

TEST(ContentQueries, WritesCallsInOrderWithTheBytesOfTheirArguments) {
  EXPECT_EQ(
      calls(content("model", {R"({"functionCall":{"args":{"a": 1.0,"b":[]},"name":"f","id":"1"}})",
                              text("then"), R"({"function_call":{"name":"g\u0041"}})",
                              R"({"functionCall":{"name":"h","args":null,"id":""}})"})),
      R"([{"id":"1","name":"f","args":{"a": 1.0,"b":[]}},)"
      R"({"name":"g\u0041","args":{}},{"name":"h","args":{}}])");
}

// Google ran these calls itself: 8be0c3c4638280ce.
TEST(ContentQueries, LeavesOutCallsThatTheContentAnswers) {
  const std::string mine = R"({"functionCall":{"name":"g"}})";
  EXPECT_EQ(calls(content("model", {R"({"functionCall":{"name":"f"}})", mine,
                                    R"({"functionResponse":{"name":"f","response":{}}})"})),
            R"([{"name":"g","args":{}}])");
  EXPECT_EQ(calls(content("model", {R"({"functionResponse":{"name":"g"}})", mine})),
            R"([{"name":"g","args":{}}])");
  EXPECT_EQ(calls(R"({"role":"model","parts":)" + mine + "}"), R"([{"name":"g","args":{}}])");
}

TEST(ContentQueries, FindsTheOpenCallsAmongVeryMany) {
  constexpr int kMany = 20'000;
  std::vector<std::string> parts;
  for (int i = 0; i <= kMany; ++i) parts.push_back(test::call("f" + std::to_string(i)));
  for (int i = kMany; i > 0; --i) parts.push_back(test::result("f" + std::to_string(i)));
  for (int i = 0; i < kMany; ++i) parts.push_back(test::result("g" + std::to_string(i)));
  EXPECT_EQ(calls(content("model", parts)), R"([{"name":"f0","args":{}}])");
}

// Each Content was once compared with all calls before it: this took minutes.
TEST(ContentQueries, FindsTheOpenCallsAmongVeryManyContents) {
  constexpr int kMany = 20'000;
  std::vector<std::string> contents;
  for (int i = 0; i < kMany; ++i) {
    const std::string name = "f" + std::to_string(i);
    contents.push_back(content("model", {test::call(name), test::call("g"), test::result(name),
                                         test::result("h" + name)}));
  }
  contents.push_back(content("model", {test::result("g")}));
  const Json read("[" + test::joined(contents) + "]");
  std::vector<json::Value> values;
  for (const json::Value each : json::elements(read.root())) values.push_back(each);
  const std::vector<json::Value> open = openCallsOf(values);
  ASSERT_EQ(open.size(), kMany - 1U);
  EXPECT_EQ(open.front(), values[1].find("parts").at(1).find("functionCall"));
}

TEST(ContentQueries, ComparesIdsAndNamesOfCallsApart) {
  const std::string open = R"([{"id":"1","name":"2f","args":{}}])";
  EXPECT_EQ(calls(content("model", {test::call("2f", "1"), test::result("f", "12")})), open);
  EXPECT_EQ(calls(content("model", {test::call("2f", "1"), test::result("2f", "\\u0031")})), "[]");
  EXPECT_EQ(calls(content("model",
                          {test::call("2f", "1"), test::call("2f", "1"), test::result("2f", "1")})),
            open);
}

TEST(ContentQueries, SkipsWhatIsNoCall) {
  EXPECT_EQ(calls(content("model", {R"({"functionCall":null})", R"({"functionCall":"f"})",
                                    R"({"functionCall":{"args":{}}})", "7"})),
            "[]");
  EXPECT_EQ(calls(R"({"parts":{}})"), "[]");
  EXPECT_EQ(calls(content("model", {R"({"functionCall":null,"function_call":{"name":"f"}})"})),
            R"([{"name":"f","args":{}}])");
}

}  // namespace
}  // namespace strata::gemini
