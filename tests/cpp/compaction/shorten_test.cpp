#include "compaction/shorten.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/json_file.h"
#include "tokens/estimate.h"

namespace strata::compaction {
namespace {

class ShortenCases : public testing::Test {
 protected:
  const test::Cases cases_ = test::readCases("tests/cases/gemini_cli_truncation.json");
};

TEST_F(ShortenCases, ShortensTextLikeGeminiCli) {
  size_t run = 0;
  for (const test::Case test : cases_.root().find("truncate_proportionally").elements()) {
    const auto units = static_cast<size_t>(test.find("target_chars").integer(0));
    const std::string text = test.find("text").text();
    EXPECT_EQ(
        shortenText(text, units, test.find("prefix").text(), test.find("head_ratio").number(-1)),
        test.find("result").text())
        << test.find("name").text();
    ++run;
  }
  EXPECT_EQ(run, 4U);
}

TEST_F(ShortenCases, ConvertsTokensToCharacters) {
  size_t run = 0;
  for (const test::Case test : cases_.root().find("estimate_chars_from_tokens").elements()) {
    EXPECT_EQ(unitsForTokens(test.find("text").text(), test.find("target_tokens").number(-1)),
              static_cast<size_t>(test.find("chars").integer(-1)));
    ++run;
  }
  EXPECT_EQ(run, 2U);
}

// The prefix is an option, so the test passes Gemini CLI's.
TEST_F(ShortenCases, ShortensOnlyTheLongStringsOfAResponse) {
  constexpr std::string_view kPrefix = "[Message Normalized: Tool output exceeded size limit]";
  size_t run = 0;
  for (const test::Case test : cases_.root().find("normalize_function_response").elements()) {
    const test::Case given = test.find("part").find("functionResponse").find("response");
    const test::Case expected = test.find("result").find("functionResponse").find("response");
    if (!given) continue;
    const test::Json response(given.bytes());
    const test::Cases made(
        shortenResponse(response.root(), test.find("ratio").number(-1), kPrefix));
    ASSERT_TRUE(made.ok()) << given.bytes();
    for (const test::CaseMember& member : expected.members()) {
      const test::Case value = made.root().find(member.key);
      const std::string name = test.find("name").text();
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
  const test::Cases file = test::readCases("tests/cases/gemini_cli_token_estimate.json");
  size_t run = 0;
  for (const test::Case test : file.root().find("cases").elements()) {
    const test::Case given = test.find("parts");
    const std::string parts =
        given ? given.compact() : "[{\"text\":\"" + std::string(100000, 'a') + "\"}]";
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
