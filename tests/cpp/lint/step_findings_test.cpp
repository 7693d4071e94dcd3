#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::lint {
namespace {

using test::Judge;
using Lines = std::vector<std::string>;

const std::string kUser = R"({"type":"user_input","content":"hi"})";
const std::string kThought = R"({"type":"thought","signature":"c2lnbmVk"})";
const std::string kCall = R"({"type":"function_call","id":"a","name":"f","arguments":{}})";

std::string body(const Lines& steps, const std::string& fields = "") {
  return R"({"model":"gemini-3.8-flash","input":[)" + test::joined(steps) + "]" + fields + "}";
}

TEST(StepFindings, WarnOfASignatureOnAResult) {
  EXPECT_EQ(Judge().lint(body({kUser, kThought, kCall,
                               R"({"type":"function_result","call_id":"a","name":"f","result":"r",)"
                               R"("signature":"c2lnbmVk"})"})),
            Lines({"warning step.signature_on_call /input/3/signature"}));
}

// The calls of the first results are in the stored interaction.
TEST(StepFindings, FindCallsBehindTheFirstResultsOfAStoredInteraction) {
  EXPECT_EQ(Judge().lint(
                body({R"({"type":"function_result","call_id":"z","name":"f","result":{}})", kCall,
                      R"({"type":"function_result","call_id":"a","name":"f","result":{}})"},
                     R"(,"previous_interaction_id":"v1_a")")),
            Lines({"error step.interleaved /input/1"}));
}

// obsidian-gemini sends calls with a signature of their own, without a thought.
TEST(StepFindings, WarnOfASignedCallWithoutAThought) {
  const std::string call =
      R"({"type":"function_call","id":"a","name":"f","arguments":{},"signature":"c2lnbmVk"})";
  const std::string result = R"({"type":"function_result","call_id":"a","name":"f","result":{}})";
  EXPECT_EQ(Judge().lint(body({kUser, call, result})),
            Lines({"warning step.signature_on_call /input/1/signature",
                   "warning thought.missing /input/1"}));
}

// A single object for a list passes only on generateContent.
TEST(StepFindings, FindASingleContent) {
  EXPECT_EQ(Judge().lint(body({R"({"type":"user_input","content":{"type":"text","text":"a"}})"})),
            Lines({"error field.invalid /input/0/content"}));
}

TEST(StepFindings, SayWhereTheInputOfAnEmptyStepIs) {
  const Lines found = Judge().lint(body({R"({"type":"user_input","parts":[{"text":"x"}]})"}));
  EXPECT_EQ(found, Lines({"error input.empty /input", "error step.field_unknown /input/0/parts"}));
}

TEST(StepFindings, FindASecondResultOfTheFirstStepOfATurn) {
  const std::string result = R"({"type":"function_result","call_id":"a","name":"f","result":{}})";
  EXPECT_EQ(Judge().lint(body({kUser, kCall, result, result})),
            Lines({"error thought.missing /input/1", "error step.result_repeated /input/3"}));
}

// generateContent's words for a wrong type are not those of this API.
TEST(StepFindings, HaveNoWordsOfAnotherApi) {
  const Judge judge;
  const catalogue::Findings findings =
      lintRequest(body({R"({"type":"user_input","content":5})"}), judge.context());
  ASSERT_EQ(findings.size(), 1U);
  json::Writer out;
  catalogue::writeDiagnostic(out, findings.front(), judge.target());
  EXPECT_EQ(out.text().find("upstream"), std::string::npos) << out.text();
}

}  // namespace
}  // namespace strata::lint
