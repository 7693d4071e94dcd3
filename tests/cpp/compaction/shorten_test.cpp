#include "compaction/shorten.h"

#include <gtest/gtest.h>

#include "json/number.h"
#include "support/json_file.h"
#include "tokens/estimate.h"

namespace strata::compaction {
namespace {

double number(json::Value value) { return json::readDouble(value.bytes()).value_or(-1); }

class ShortenCases : public testing::Test {
 protected:
  const test::Json cases_{test::readFile("tests/cases/gemini_cli_truncation.json").value()};
};

TEST_F(ShortenCases, ShortensTextLikeGeminiCli) {
  size_t run = 0;
  for (const json::Value test : json::elements(cases_.root().find("truncate_proportionally"))) {
    const auto units = static_cast<size_t>(test.find("target_chars").integer(0));
    const std::string text = test.find("text").text();
    EXPECT_EQ(shortenText(text, units, test.find("prefix").text(), number(test.find("head_ratio"))),
              test.find("result").text())
        << test.find("name").text();
    ++run;
  }
  EXPECT_EQ(run, 4U);
}

TEST_F(ShortenCases, ConvertsTokensToCharacters) {
  size_t run = 0;
  for (const json::Value test : json::elements(cases_.root().find("estimate_chars_from_tokens"))) {
    EXPECT_EQ(unitsForTokens(test.find("text").text(), number(test.find("target_tokens"))),
              static_cast<size_t>(test.find("chars").integer(-1)));
    ++run;
  }
  EXPECT_EQ(run, 2U);
}

// The prefix is an option, so the test passes Gemini CLI's.
TEST_F(ShortenCases, ShortensOnlyTheLongStringsOfAResponse) {
  constexpr std::string_view kPrefix = "[Message Normalized: Tool output exceeded size limit]";
  size_t run = 0;
  for (const json::Value test : json::elements(cases_.root().find("normalize_function_response"))) {
    const json::Value response = test.find("part").find("functionResponse").find("response");
    const json::Value expected = test.find("result").find("functionResponse").find("response");
    if (!response) continue;
    const test::Json made(shortenResponse(response, number(test.find("ratio")), kPrefix));
    ASSERT_TRUE(made.ok()) << made.text();
    for (const json::Member member : json::members(expected)) {
      const json::Value value = made.root().find(std::string(member.key.raw()));
      const std::string& name = test.find("name").text();
      if (member.value.isString()) {
        EXPECT_EQ(value.text(), member.value.text()) << name;
      } else {
        EXPECT_EQ(value.bytes(), member.value.bytes()) << name;
      }
    }
    ++run;
  }
  EXPECT_EQ(run, 5U);  // the sixth has no response at all
}

TEST(Shorten, CutsBetweenCodePoints) {
  const std::string text = "\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600\U0001F600";
  // The limit leaves 5 of 12 units for the text: two code points of two units each. A third one
  // would be split.
  EXPECT_EQ(shortenText(text, 11, "", 0.5), "\n\U0001F600\n...\n\U0001F600");
  EXPECT_EQ(unitsForTokens(text, 7), 4U);
}

TEST(Estimate, MatchesGeminiCli) {
  const test::Json file(test::readFile("tests/cases/gemini_cli_token_estimate.json").value());
  size_t run = 0;
  for (const json::Value test : json::elements(file.root().find("cases"))) {
    std::string parts = test::compact(test.find("parts").bytes());
    if (parts.empty()) parts = "[{\"text\":\"" + std::string(100000, 'a') + "\"}]";
    const test::Json content("{\"parts\":" + parts + "}");
    const std::string name = test.find("name").text();
    EXPECT_EQ(tokens::estimateContent(content.root()),
              static_cast<uint32_t>(test.find("tokens").integer(-1)))
        << name << " " << parts.substr(0, 100);
    ++run;
  }
  EXPECT_EQ(run, 18U);
}

TEST(Estimate, DoesNotCountSignatures) {
  const test::Json bare(R"({"parts":[{"functionCall":{"name":"f","args":{}}}]})");
  const test::Json with(R"({"parts":[{"functionCall":{"name":"f","args":{}},"thoughtSignature":")" +
                        std::string(4000, 'A') + "\"}]}");
  EXPECT_NEAR(tokens::estimateContent(with.root()), tokens::estimateContent(bare.root()), 6);
}

}  // namespace
}  // namespace strata::compaction
