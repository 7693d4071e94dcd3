#include "lint/turn_order.h"

#include <gtest/gtest.h>

#include "support/rule_table.h"

namespace strata::lint {
namespace {

using test::bodyOf;
using test::call;
using test::callTurn;
using test::content;
using test::Judge;
using test::model;
using test::result;
using test::resultTurn;
using test::RuleCase;
using test::text;
using test::unsignedCall;
using test::user;

std::vector<RuleCase> cases() {
  const std::string plain = bodyOf({user(), model(), user()});
  const std::string step = bodyOf({user(), callTurn(), resultTurn()});
  const std::string two = content("model", {call("f", "1"), unsignedCall("g", "2")});
  const std::string both = content("user", {result("f", "1"), result("g", "2")});
  const std::string parallel = bodyOf({user(), two, both});
  return {
      {"contents.empty", "EEEEEEEE", "/contents", R"({"contents":[]})", plain},
      {"contents.empty", "EEEEEEEE", "/contents", R"({"contents":null})", plain},
      {"turn.first_not_user", "wwwwwwww", "/contents/0", bodyOf({model(), user()}), plain},
      {"turn.ends_with_model", "wwEwwwEw", "/contents/1", bodyOf({user(), model()}), step},
      {"call.order", "EEEEEEEE", "/contents/0", bodyOf({callTurn(), resultTurn()}), step},
      {"call.order", "wwEEwwEE", "/contents/2", bodyOf({user(), model(), callTurn(), resultTurn()}),
       bodyOf({user(), callTurn(), resultTurn(), callTurn(), resultTurn()})},
      {"call.order", "EEEEEEEE", "/contents/0", bodyOf({content("user", {call()}), user()}), step},
      {"call.open", "wEEEwEEE", "/contents/1", bodyOf({user(), callTurn(), user()}), step},
      {"call.open", "wEEEwEEE", "/contents/1", bodyOf({user(), callTurn()}), step},
      {"call.open", "wEEEwEEE", "/contents/1", bodyOf({user(), callTurn(), model(), user()}), step},
      {"call.split", "wwwwwwww", "/contents/2",
       bodyOf({user(), callTurn(), model(""), resultTurn()}), step},
      {"call.split", "ii--ii--", "/contents/2",
       bodyOf({user(), callTurn(), model("a"), resultTurn()}), step},
      {"response.count", "wEEEEEEE", "/contents/2",
       bodyOf({user(), two, content("user", {result("f", "1")})}), parallel},
      {"response.count", "wEEEEEEE", "/contents/2",
       bodyOf({user(), callTurn(), content("user", {result(), result()})}), step},
      {"response.split", "wEEEEEEE", "/contents/3",
       bodyOf(
           {user(), two, content("user", {result("f", "1")}), content("user", {result("g", "2")})}),
       parallel},
      {"response.orphan", "EEEEEEEE", "/contents/0", bodyOf({resultTurn()}), step},
      {"response.orphan", "EEEEEEEE", "/contents/2", bodyOf({user(), model(), resultTurn()}), step},
      {"response.orphan", "EEEEEEEE", "/contents/1", bodyOf({user(), resultTurn()}), step},
      {"response.order", "wwwwwwww", "/contents/2",
       bodyOf({user(), two, content("user", {result("g", "2"), result("f", "1")})}), parallel},
      {"response.order", "wwEEwwEE", "/contents/2",
       bodyOf({user(), content("model", {call("f"), unsignedCall("g")}),
               content("user", {result("g"), result("f")})}),
       parallel},
      {"response.id_mismatch", "wwEEwwEE", "/contents/2/parts/1",
       bodyOf({user(), two, content("user", {result("f", "1"), result("g", "9")})}), parallel},
      {"response.name_mismatch", "iwEEiwEE", "/contents/2/parts/0",
       bodyOf({user(), callTurn(), content("user", {result("h")})}), step},
      {"response.name_mismatch", "iiEEiiEE", "/contents/2/parts/0",
       bodyOf({user(), content("model", {call("f", "1")}), content("user", {result("h", "1")})}),
       step},
      {"response.not_followed_by_model", "iiiiiiii", "/contents/3",
       bodyOf({user(), callTurn(), resultTurn(), user()}),
       bodyOf({user(), callTurn(), resultTurn(), model(), user()})},
      {"signature.missing", "-EEE-EEE", "/contents/1/parts/1",
       bodyOf({user(), content("model", {text("so"), unsignedCall(), call()}),
               content("user", {result(), result()})}),
       parallel},
  };
}

class SequenceRule : public testing::TestWithParam<RuleCase> {};

TEST_P(SequenceRule, ReportsTheInvalidBodyAndAcceptsTheValidOne) { test::expectRule(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, SequenceRule, testing::ValuesIn(cases()));

// Returns the `signature.missing` line for an unsigned call in Content 1, or "".
std::string missingSignature(const std::vector<std::string>& following) {
  const Judge judge;
  std::vector<std::string> contents = {user(), content("model", {unsignedCall()})};
  contents.insert(contents.end(), following.begin(), following.end());
  for (const std::string& line : judge.lintContents(contents)) {
    if (line.find("signature.missing /contents/1") != std::string::npos) return line;
  }
  return "";
}

TEST(CurrentTurn, RequiresSignaturesInTheCurrentTurnOnly) {
  EXPECT_EQ(missingSignature({resultTurn()}), "error signature.missing /contents/1/parts/0");
  EXPECT_EQ(missingSignature({resultTurn(), callTurn(), resultTurn()}),
            "error signature.missing /contents/1/parts/0");
  EXPECT_EQ(missingSignature({resultTurn(), model(), user()}), "");
  EXPECT_EQ(missingSignature({resultTurn(), model(), user(), callTurn(), resultTurn()}), "");
}

TEST(CurrentTurn, WarnsIfAContentWithTextAndResponsesMayHaveOpenedATurn) {
  const std::string mixed = content("user", {text("and"), result()});
  EXPECT_EQ(missingSignature({mixed}), "warning signature.missing /contents/1/parts/0");
  EXPECT_EQ(missingSignature({mixed, callTurn(), resultTurn()}),
            "warning signature.missing /contents/1/parts/0");
  EXPECT_EQ(missingSignature({mixed, model(), user()}), "");
}

TEST(CurrentTurn, RequiresASignatureInEveryStep) {
  const Judge judge;
  const std::vector<std::string> lines = judge.lintContents(
      {user(), callTurn(), resultTurn(), content("model", {unsignedCall()}), resultTurn()});
  EXPECT_EQ(lines, std::vector<std::string>{"error signature.missing /contents/3/parts/0"});
}

TEST(Sequence, APartWithoutDataDoesNotOpenATurn) {
  EXPECT_EQ(missingSignature({resultTurn(), content("user", {"{}"})}),
            "error signature.missing /contents/1/parts/0");
  EXPECT_EQ(missingSignature({resultTurn(), content("user", {R"({"newKindOfData":{}})"})}), "");
}

TEST(Sequence, Gemini3ProImageAcceptsUnsignedCalls) {
  const std::vector<std::string> contents = {user(), content("model", {unsignedCall()}),
                                             resultTurn()};
  const std::string line = " signature.missing /contents/1/parts/0";
  EXPECT_EQ(Judge("gemini-3-pro-image").lintContents(contents),
            std::vector<std::string>{"info" + line});
  EXPECT_EQ(Judge("models/gemini-3-pro-image-preview").lintContents(contents),
            std::vector<std::string>{"info" + line});
  EXPECT_EQ(Judge("gemini-3.1-pro-preview").lintContents(contents),
            std::vector<std::string>{"error" + line});
}

// Recorded for gemini-3-flash-preview: eea6fdc68d15ac70.
TEST(Pairing, CountsTheCallsOfModelContentsInARow) {
  const std::vector<std::string> contents = {user(), content("model", {call("f", "1")}),
                                             content("model", {call("g", "2")}),
                                             content("user", {result("f", "1"), result("g", "2")})};
  EXPECT_EQ(Judge("gemini-3-flash-preview").lintContents(contents),
            std::vector<std::string>{"warning call.order /contents/2"});
  EXPECT_TRUE(test::hasCode(Judge("gemini-3.8-flash").lintContents(contents), "call.open"));
}

// Google ran the calls itself: 8be0c3c4638280ce.
TEST(Pairing, LeavesServerSideCallsToGoogle) {
  const std::string whole = content("model", {call(), result(), text("a")});
  const std::vector<std::string> split = {user(), callTurn(), content("model", {result()}), model(),
                                          user()};
  const auto body = [](const std::vector<std::string>& contents) {
    const std::string plain = bodyOf(contents);
    return plain.substr(0, plain.size() - 1) + R"(,"tools":[{"mcpServers":[{"name":"m"}]}]})";
  };
  const Judge judge("gemini-2.5-flash");
  EXPECT_TRUE(judge.lint(body({user(), whole, user()})).empty());
  EXPECT_FALSE(test::hasCode(judge.lint(body(split)), "call.open"));
  EXPECT_FALSE(test::hasCode(judge.lint(body(split)), "response.orphan"));
  EXPECT_TRUE(test::hasCode(judge.lintContents(split), "response.orphan"));
  // The client's own results still belong in a user Content.
  EXPECT_TRUE(test::hasCode(judge.lintContents({user(), whole, user()}), "response.interleaved"));
  EXPECT_TRUE(
      test::hasCode(judge.lint(body({user(), content("model", {result(), call()}), user()})),
                    "response.interleaved"));
}

TEST(Pairing, AcceptsAnIdThatRepeatsInAnotherStep) {
  const std::string calls = content("model", {call("f", "call_1")});
  const std::string results = content("user", {result("f", "call_1")});
  const Judge judge;
  EXPECT_TRUE(judge.lintContents({user(), calls, results, calls, results}).empty());
}

TEST(Pairing, PairsRepeatedIdsWithinAStepInOrder) {
  const Judge judge;
  const std::string calls = content("model", {call("f", "1"), unsignedCall("g", "1")});
  EXPECT_EQ(
      judge.lintContents({user(), calls, content("user", {result("f", "1"), result("g", "1")})}),
      std::vector<std::string>{"error call.duplicate_id /contents/1/parts/1/functionCall/id"});
}

TEST(Pairing, ComparesIdsAfterDecodingEscapes) {
  const Judge judge;
  const std::string calls = content("model", {call("f", "caf\\u00e9")});
  EXPECT_TRUE(
      judge.lintContents({user(), calls, content("user", {result("f", "caf\u00e9")})}).empty());
}

TEST(Pairing, PairsByNameWithoutIds) {
  const Judge judge;
  const std::string calls = content("model", {call("f"), unsignedCall("g")});
  EXPECT_TRUE(
      judge.lintContents({user(), calls, content("user", {result("f"), result("g")})}).empty());
  EXPECT_EQ(judge.lintContents({user(), calls, content("user", {result("g"), result("f")})}),
            std::vector<std::string>{"error response.order /contents/2"});
  const std::string same = content("model", {call("f"), unsignedCall("f")});
  EXPECT_TRUE(
      judge.lintContents({user(), same, content("user", {result("f"), result("f")})}).empty());
}

TEST(Pairing, ReportsAnIdOnOneSideOnly) {
  const Judge judge;
  EXPECT_EQ(judge.lintContents({user(), callTurn(), content("user", {result("f", "1")})}),
            std::vector<std::string>{"error response.id_mismatch /contents/2/parts/0"});
  EXPECT_EQ(judge.lintContents({user(), content("model", {call("f", "1")}), resultTurn()}),
            std::vector<std::string>{"error response.id_mismatch /contents/2/parts/0"});
}

TEST(Pairing, ReadsTheFirstDataOfAPartOnly) {
  const std::string two = R"({"text":"a",)" + result().substr(1);
  EXPECT_EQ(Judge().lintContents({user(), content("model", {call(), two}), resultTurn()}),
            std::vector<std::string>{"error part.multiple_data /contents/1/parts/1"});
}

TEST(Pairing, ReadsVeryManyCallsAndResponsesInOneContent) {
  constexpr int kMany = 10'000;
  std::vector<std::string> parts;
  for (int i = 0; i < kMany; ++i) parts.push_back(call("f" + std::to_string(i)));
  for (int i = 0; i < kMany; ++i) parts.push_back(result("f" + std::to_string(i)));
  const Judge judge;
  const std::string body = bodyOf({user(), content("model", parts), user()});
  const std::string tools = R"({"tools":[{"mcpServers":[{"name":"s"}]}],)" + body.substr(1);
  EXPECT_FALSE(test::hasCode(judge.lint(tools), "call.open"));
  parts.push_back(call());
  EXPECT_TRUE(
      test::hasCode(judge.lintContents({user(), content("model", parts), user()}), "call.open"));
}

TEST(Pairing, ReadsVeryManyContentsWithOpenCalls) {
  constexpr int kMany = 20'000;
  std::vector<std::string> contents = {user()};
  std::vector<std::string> results;
  for (int i = 0; i < kMany; ++i) {
    contents.push_back(content("model", {call("f" + std::to_string(i))}));
    results.push_back(result("f" + std::to_string(i)));
  }
  contents.push_back(content("user", results));
  const Judge judge("gemini-2.5-flash");
  for (const std::string& line : judge.lintContents(contents))
    EXPECT_EQ(line.find("response."), std::string::npos) << line;
}

TEST(Sequence, AcceptsSnakeCaseHistories) {
  const Judge judge;
  EXPECT_TRUE(judge
                  .lintContents({user(),
                                 R"({"role":"model","parts":[{"function_call":{"name":"f"},)"
                                 R"("thought_signature":"AAAA"}]})",
                                 R"({"role":"user","parts":[{"function_response":{"name":"f",)"
                                 R"("response":{}}}]})"})
                  .empty());
}

}  // namespace
}  // namespace strata::lint
