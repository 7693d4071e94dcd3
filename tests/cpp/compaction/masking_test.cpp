#include "compaction/masking.h"

#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/contents.h"

namespace strata::compaction {
namespace {

class MaskingCases : public testing::Test {
 protected:
  static std::vector<ToolOutput> outputsOf(test::Case parts) {
    std::vector<ToolOutput> outputs;
    for (const test::Case part : parts.elements()) {
      ToolOutput& output = outputs.emplace_back();
      output.turn = static_cast<size_t>(part.find("turn").integer(0));
      output.name = part.find("id").text();
      output.tokens = static_cast<uint32_t>(part.find("tokens").integer(0));
      output.exempt = part.find("exempt").isTrue();
    }
    return outputs;
  }

  static void expectNames(const std::vector<ToolOutput>& outputs, const std::vector<size_t>& chosen,
                          test::Case names, const std::string& test) {
    ASSERT_EQ(chosen.size(), names.size()) << test;
    for (size_t i = 0; i < chosen.size(); ++i) {
      EXPECT_EQ(outputs[chosen[i]].name, names.at(i).text()) << test;
    }
  }

  const test::Cases cases_ = test::readCases("tests/cases/gemini_cli_masking.json");
};

TEST_F(MaskingCases, MasksTheSameOutputsAsGeminiCli) {
  size_t run = 0;
  for (const test::Case test : cases_.root().find("cases").elements()) {
    const std::string name = test.find("name").text();
    const std::vector<ToolOutput> outputs = outputsOf(test.find("parts"));
    MaskLimits limits;
    if (const test::Case config = test.find("config")) {
      limits.protect = static_cast<uint32_t>(config.find("protect").integer(0));
      limits.minPrunable = static_cast<uint32_t>(config.find("min").integer(0));
      limits.protectLatest = config.find("protectLatest").isTrue();
    }
    const size_t last = outputs.back().turn;
    const std::vector<size_t> prunable = prunableOutputs(outputs, limits, last);
    uint32_t tokens = 0;
    for (const size_t i : prunable) tokens += outputs[i].tokens;
    expectNames(outputs, prunable, test.find("candidates"), name);
    EXPECT_EQ(tokens, test.find("candidate_tokens").integer(-1)) << name;
    expectNames(outputs, outputsToMask(outputs, limits, last), test.find("masked"), name);
    ++run;
  }
  EXPECT_EQ(run, 7U);
}

TEST_F(MaskingCases, MakesPreviewsOfTheSameLengthAsGeminiCli) {
  size_t run = 0;
  for (const test::Case test : cases_.root().find("preview").elements()) {
    const auto length = static_cast<size_t>(test.find("content_chars").integer(0));
    const std::string text = std::string(length / 2, 'a') + std::string(length - length / 2, 'b');
    const bool whole = test.find("preview").equals("whole content");
    const std::string cut =
        std::string(250, 'a') + "\n... [TRUNCATED] ...\n" + std::string(250, 'b');
    EXPECT_EQ(makePreview(text), whole ? text : cut) << length;
    ++run;
  }
  EXPECT_EQ(run, 4U);
}

TEST_F(MaskingCases, ShortensTheSameOutputsAsGeminiCli) {
  const test::Case budget = cases_.root().find("compression_function_response_budget");
  size_t run = 0;
  for (const test::Case test : budget.find("cases").elements()) {
    const std::vector<ToolOutput> outputs = outputsOf(test.find("parts"));
    expectNames(outputs, outputsOverBudget(outputs, 50000), test.find("truncated"),
                std::to_string(run));
    ++run;
  }
  EXPECT_EQ(run, 5U);
}

TEST(Masking, MaskNamesWhereTheFullResultIsStored) {
  const test::Json response(R"({"output":")" + std::string(1000, 'x') + "\"}");
  const test::Json mask(makeMask(response.root(), "abc123"));
  ASSERT_TRUE(mask.ok());
  EXPECT_TRUE(isMask(mask.root()));
  EXPECT_FALSE(isMask(response.root()));
  EXPECT_NE(mask.root().find("output").text().find("kept as abc123"), std::string::npos);
  EXPECT_LT(mask.text().size(), response.text().size());
}

TEST(Masking, ReplacesOnlyTheResponses) {
  const std::string content =
      R"({ "role":"user", "parts":[ {"functionResponse":{"id":"1","response":{"a":1.0},"name":"f"}},)"
      R"({"function_response":{"name":"g","response":{"b":2}}} ] })";
  EXPECT_EQ(
      replaceResponses(content, {{0, "{}"}, {1, R"({"c":3})"}}),
      R"({ "role":"user", "parts":[ {"functionResponse":{"id":"1","response":{},"name":"f"}},)"
      R"({"function_response":{"name":"g","response":{"c":3}}} ] })");
}

}  // namespace
}  // namespace strata::compaction
