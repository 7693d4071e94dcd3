#include "interactions/wire.h"

#include <gtest/gtest.h>

#include "support/json_file.h"
#include "support/shared_files.h"

namespace strata::interactions {
namespace {

using test::Json;

Wire wire(const std::string& body, std::string_view model = {}) {
  const Json read(body);
  return wireOf(read.root(), model);
}

TEST(Wire, IsGenerateContentWithContentsOrWithoutAnySign) {
  EXPECT_EQ(wire(R"({"contents":[]})"), Wire::kGenerateContent);
  EXPECT_EQ(wire(R"({"contents":[],"input":"a","messages":[]})"), Wire::kGenerateContent);
  EXPECT_EQ(wire(R"({"generate_content_request":{}})"), Wire::kGenerateContent);
  EXPECT_EQ(wire("{}"), Wire::kGenerateContent);
  EXPECT_EQ(wire("[]"), Wire::kGenerateContent);
  EXPECT_EQ(wire(R"({"tools":[],"generationConfig":{}})"), Wire::kGenerateContent);
}

TEST(Wire, IsInteractionsByItsStepsAndFields) {
  EXPECT_EQ(wire(R"({"model":"gemini-3.8-flash","input":"hi"})"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"agent":"deep-research-preview-04-2026","input":"hi"})"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"input":[{"type":"user_input","content":[]}]})"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"model":"my-model","input":"hi","system_instruction":"a"})"),
            Wire::kInteractions);
  // The beta form.
  EXPECT_EQ(wire(R"({"model":"gemini-3.8-flash","input":[{"role":"user","content":"hi"}]})"),
            Wire::kInteractions);
  EXPECT_EQ(wire(R"({"id":"v1_a","object":"interaction","outputs":[]})"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"steps":[{"type":"user_input"}]})"), Wire::kInteractions);
}

TEST(Wire, IsOpenAiResponsesByItsItems) {
  EXPECT_EQ(wire(R"({"model":"gpt-5.6","input":"hi"})"), Wire::kOpenAiResponses);
  EXPECT_EQ(wire(R"({"model":"my-model","input":"hi","instructions":"be brief"})"),
            Wire::kOpenAiResponses);
  EXPECT_EQ(wire(R"({"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]}]})"),
            Wire::kOpenAiResponses);
  EXPECT_EQ(wire(R"({"input":[{"type":"message","role":"user","content":"a"},
    {"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
    {"type":"function_call_output","call_id":"c","output":"1"}]})"),
            Wire::kOpenAiResponses);
}

TEST(Wire, OfAShapeThatFitsTwoApisIsThatOfTheModelsVendor) {
  EXPECT_EQ(wire(R"({"input":"hi"})", "gpt-5.6"), Wire::kOpenAiResponses);
  EXPECT_EQ(wire(R"({"input":"hi"})", "gemini-3.8-flash"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"model":"o4-mini","input":"hi"})", "gemini-3.8-flash"),
            Wire::kOpenAiResponses);
  // A field of the other API is a mistake.
  EXPECT_EQ(wire(R"({"model":"gemini-3.8-flash","input":"hi","tool_choice":"auto"})"),
            Wire::kInteractions);
  EXPECT_EQ(
      wire(R"({"input":"hi","temperature":1,"top_p":1,"max_output_tokens":9})", "gemini-3.8-flash"),
      Wire::kInteractions);
  EXPECT_EQ(wire(R"({"messages":[{"role":"user","content":"a"}]})", "claude-opus-5"),
            Wire::kAnthropicMessages);
  EXPECT_EQ(wire(R"({"messages":[{"role":"user","content":"a"}]})", "gpt-5.6"), Wire::kOpenAiChat);
}

TEST(Wire, TellsAnthropicsMessagesFromOpenAis) {
  EXPECT_EQ(wire(R"({"max_tokens":5,"system":"a","messages":[{"role":"user","content":"b"}]})"),
            Wire::kAnthropicMessages);
  EXPECT_EQ(wire(R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t"}]}]})"),
            Wire::kAnthropicMessages);
  EXPECT_EQ(wire(R"({"messages":[{"role":"system","content":"a"}]})"), Wire::kOpenAiChat);
  EXPECT_EQ(wire(R"({"messages":[],"tools":[{"type":"function","function":{}}]})"),
            Wire::kOpenAiChat);
}

TEST(Wire, OfEveryRecordedRequestIsInteractions) {
  const auto file = test::readShared("interactions/exchanges.jsonl");
  if (!file) GTEST_SKIP() << test::missingFolder("interactions");
  for (const std::string& line : test::linesIn(*file)) {
    const Json exchange(line);
    EXPECT_EQ(wireOf(exchange.root().find("request")), Wire::kInteractions) << line;
  }
}

}  // namespace
}  // namespace strata::interactions
