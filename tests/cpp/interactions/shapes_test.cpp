#include "interactions/shapes.h"

#include <gtest/gtest.h>

#include "interactions/answer.h"
#include "interactions/step_view.h"
#include "support/json_file.h"
#include "support/shared_files.h"

namespace strata::interactions {
namespace {

using test::Json;

StepKind stepKind(const std::string& type) {
  const Json step(R"({"type":")" + type + "\"}");
  return stepKindOf(step.root());
}

std::string meant(NameList fields, const std::string& name) {
  const Json key("\"" + name + "\"");
  return meantName(fields, key.root());
}

TEST(Shapes, KnowStepsByTheirType) {
  EXPECT_EQ(stepKind("user_input"), StepKind::kUserInput);
  EXPECT_EQ(stepKind("function_call"), StepKind::kFunctionCall);
  EXPECT_EQ(stepKind("google_search_call"), StepKind::kToolCall);
  EXPECT_EQ(stepKind("mcp_server_tool_result"), StepKind::kToolResult);
  EXPECT_EQ(stepKind("elicitation_call"), StepKind::kUnknown);
  EXPECT_EQ(stepKind("_call"), StepKind::kUnknown);
  EXPECT_EQ(stepKindOf({}), StepKind::kUnknown);
  EXPECT_TRUE(isOfModel(StepKind::kThought));
  EXPECT_FALSE(isOfModel(StepKind::kFunctionResult));
}

TEST(Shapes, FindTheNameThatWasMeant) {
  const NameList config = fieldsOf(Shape::kGenerationConfig);
  EXPECT_EQ(meant(config, "topP"), "top_p");
  EXPECT_EQ(meant(config, "max_tokens"), "max_output_tokens");
  EXPECT_EQ(meant(config, "temprature"), "temperature");
  EXPECT_EQ(meant(config, "something_else"), "");
  EXPECT_EQ(meant(fieldsOf(StepKind::kUserInput), "parts"), "content");
  EXPECT_EQ(meant(fieldsOf(StepKind::kFunctionResult), "id"), "call_id");
  EXPECT_EQ(meant(fieldsOf(StepKind::kFunctionCall), "args"), "arguments");
  EXPECT_EQ(meant(fieldsOf(StepKind::kThought), "thoughtSignature"), "signature");
}

TEST(Shapes, TellForeignNamesFromNewOnes) {
  const auto isForeign = [](const std::string& name) {
    const Json key("\"" + name + "\"");
    return isForeignName(key.root());
  };
  EXPECT_TRUE(isForeign("inlineData"));
  EXPECT_TRUE(isForeign("parts"));
  EXPECT_FALSE(isForeign("reasoning_budget"));
}

TEST(StepView, ReadsTheFieldsOfEachKind) {
  const Json call(R"({"type":"function_call","id":"a","name":"f","arguments":{"x":1}})");
  const StepView view = viewOf(call.root());
  EXPECT_TRUE(view.isCall());
  EXPECT_EQ(view.id.text(), "a");
  EXPECT_EQ(view.payload.bytes(), R"({"x":1})");
  const Json result(R"({"type":"function_result","call_id":"a","id":"b","name":"f","result":"r"})");
  EXPECT_EQ(viewOf(result.root()).id.text(), "a");
  const Json thought(R"({"type":"thought","signature":"","summary":[{"type":"text"}]})");
  EXPECT_FALSE(viewOf(thought.root()).isSigned());
  EXPECT_EQ(viewOf(thought.root()).content.size(), 1U);
  const Json number("1");
  EXPECT_EQ(viewOf(number.root()).kind, StepKind::kUnknown);
}

TEST(StepView, PlacesResultsOfAUserInputBeforeItsOtherContent) {
  const Json steps(R"([{"type":"user_input","content":[{"type":"text","text":"a"},
    {"type":"function_result","call_id":"c"}]},
    {"type":"user_input","content":[{"type":"function_result","call_id":"d"}]},
    {"type":"user_input","content":"text"}])");
  const std::vector<PlacedStep> placed = placedSteps(steps.root());
  std::string paths;
  for (const PlacedStep& step : placed) paths += step.path() + " ";
  EXPECT_EQ(paths, "/0/content/1 /0 /1/content/0 /2 ");
}

TEST(Answer, MapsStatusesToTheNearestFinishReason) {
  EXPECT_EQ(finishReasonOf(statusOf("requires_action")), "STOP");
  EXPECT_EQ(finishReasonOf(statusOf("incomplete")), "MAX_TOKENS");
  EXPECT_FALSE(isFinal(statusOf("in_progress")));
  EXPECT_TRUE(isFinal(statusOf("cancelled")));
  EXPECT_EQ(statusOf("new_status"), AnswerStatus::kUnknown);
  EXPECT_FALSE(isFinal(AnswerStatus::kUnknown));
}

TEST(Answer, WritesUsageAsUsageMetadata) {
  const Json usage(R"({"total_input_tokens":9,"total_thought_tokens":2,"total_tokens":14,
    "total_output_tokens":3,"input_tokens_by_modality":[]})");
  json::Writer out;
  writeUsageMetadata(out, usage.root());
  EXPECT_EQ(out.text(), R"({"promptTokenCount":9,"candidatesTokenCount":3,)"
                        R"("thoughtsTokenCount":2,"totalTokenCount":14})");
}

// The fields that the API itself writes are known.
TEST(Shapes, KnowEveryFieldOfTheRecordedAnswers) {
  for (const std::string name : {"basic", "google-search", "multi-turn-stateless-turn2",
                                 "structured-output", "tool-call-step1", "tool-call-step2"}) {
    const auto file = test::readShared("interactions/" + name + ".json");
    if (!file) GTEST_SKIP() << test::missingFolder("interactions");
    const Json answer(*file);
    EXPECT_TRUE(isFinal(statusOf(answer.root().find("status").text())));
    EXPECT_TRUE(goBack(answer.root().find("steps"))) << name;
    for (const json::Value step : json::elements(answer.root().find("steps"))) {
      const StepKind kind = stepKindOf(step);
      EXPECT_NE(kind, StepKind::kUnknown) << step.bytes();
      for (const json::Member member : json::members(step)) {
        const NameList fields = fieldsOf(kind);
        EXPECT_TRUE(fields.empty() || hasName(fields, member.key.raw())) << member.key.raw();
      }
    }
  }
}

}  // namespace
}  // namespace strata::interactions
