#include "lint/interaction_rules.h"

#include <gtest/gtest.h>

#include "support/contents.h"
#include "support/files.h"
#include "support/shared_files.h"

namespace strata::lint {
namespace {

using test::Json;
using test::Judge;
using Lines = std::vector<std::string>;

constexpr const char* kThought = R"({"type":"thought","signature":"c2lnbmVk"})";

std::string step(const std::string& type, const std::string& fields) {
  return R"({"type":")" + type + "\"," + fields + "}";
}
std::string user(const std::string& content = R"({"type":"text","text":"hi"})") {
  return step("user_input", R"("content":[)" + content + "]");
}
std::string output(const std::string& text = "ok") {
  return step("model_output", R"("content":[{"type":"text","text":")" + text + R"("}])");
}
std::string call(const std::string& id = "c1", const std::string& name = "f") {
  return step("function_call", R"("id":")" + id + R"(","name":")" + name + R"(","arguments":{})");
}
std::string result(const std::string& id = "c1", const std::string& name = "f",
                   const std::string& value = R"({"ok":true})") {
  return step("function_result",
              R"("call_id":")" + id + R"(","name":")" + name + R"(","result":)" + value);
}

std::string body(const std::string& input, const std::string& fields = "") {
  return R"({"model":"gemini-3.8-flash","input":)" + input + fields + "}";
}
std::string steps(const Lines& list, const std::string& fields = "") {
  return body("[" + test::joined(list) + "]", fields);
}

// Returns `severity code path` of each finding.
Lines lint(const std::string& text, const std::string& model = "gemini-3.8-flash") {
  return Judge(model).lint(text);
}

// Returns Google's text of the first finding with the code.
std::string upstream(const std::string& text, const std::string& code) {
  const Judge judge;
  for (const catalogue::Finding& finding : lintRequest(text, judge.context())) {
    json::Writer out;
    catalogue::writeDiagnostic(out, finding, judge.target());
    const Json diagnostic(out.take());
    if (diagnostic.root().find("code").equals(code))
      return diagnostic.root().find("upstream").text();
  }
  return "(not found)";
}

void expectRefusal(const std::string& text, const std::string& code, const std::string& path,
                   const std::string& googles) {
  const Lines found = lint(text);
  const std::string line = "error " + code + " " + path;
  EXPECT_NE(std::find(found.begin(), found.end(), line), found.end())
      << line << " is missing in " << test::joined(found) << " for " << text;
  EXPECT_EQ(upstream(text, code), googles) << text;
}

constexpr const char* kInvalid = "Request contains an invalid argument.";

// Recorded by 0xPlaygrounds/rig, tests/cassettes/gemini: all of them were accepted.
TEST(InteractionRules, FindNoErrorInRecordedRequests) {
  const auto file = test::readShared("interactions/exchanges.jsonl");
  if (!file) GTEST_SKIP() << test::missingFolder("interactions");
  size_t read = 0;
  for (const std::string& line : test::linesIn(*file)) {
    const Json exchange(line);
    const std::string request(exchange.root().find("request").bytes());
    for (const std::string& found : lint(request, "gemini-3-flash-preview")) {
      EXPECT_EQ(found.find("error"), std::string::npos) << found << request;
    }
    ++read;
  }
  EXPECT_EQ(read, 14U);
}

// The documented stateless recipe: the answer's steps exactly as received.
TEST(InteractionRules, FindNothingInAStatelessHistory) {
  EXPECT_EQ(lint(body("\"hi\"")), Lines());
  EXPECT_EQ(lint(body(R"({"type":"text","text":"hi"})")), Lines());
  EXPECT_EQ(lint(steps({user(), kThought, output(), user()})), Lines());
  EXPECT_EQ(lint(steps({user(), output(), user()})), Lines());
  EXPECT_EQ(lint(steps({user(), kThought, call(), result()})), Lines());
  EXPECT_EQ(lint(steps({user(), kThought, call(), call("c2"), result("c2"), result()})), Lines());
  EXPECT_EQ(lint(steps({user(), kThought, call(), result(), kThought, call(), result()})), Lines());
  EXPECT_EQ(lint(steps({user(), step("new_playback", R"("x":1)"), user()})),
            Lines({"warning step.type_unsupported /input/1/type"}));
  EXPECT_EQ(lint(steps({user(), step("playback_complete", R"("x":1)"), user()})), Lines());
}

// The server lists more types for input than have a shape; an unknown step is part of its turn.
TEST(InteractionRules, FindNothingAroundUnknownSteps) {
  const std::string unknown = step("elicitation_call", R"("x":1)");
  const Lines known = {user(),   kThought,     output(), call(),   call("c2"),
                       result(), result("c2"), kThought, output(), user()};
  ASSERT_EQ(lint(steps(known)), Lines());
  for (size_t at = 0; at <= known.size(); ++at) {
    Lines list = known;
    list.insert(list.begin() + static_cast<ptrdiff_t>(at), unknown);
    EXPECT_EQ(lint(steps(list)), Lines()) << at;
  }
  EXPECT_EQ(lint(steps({user(), kThought, call(), result(), unknown, call("c2"), result("c2")})),
            Lines({"warning step.interleaved /input/5"}));
}

TEST(InteractionRules, FindNothingInRecordedAnswersSentBack) {
  for (const std::string name : {"tool-call-step1", "google-search", "basic"}) {
    const auto file = test::readShared("interactions/" + name + ".json");
    if (!file) GTEST_SKIP() << test::missingFolder("interactions");
    const Json answer(*file);
    Lines input = {user()};
    std::string id;
    for (const json::Value each : json::elements(answer.root().find("steps"))) {
      input.emplace_back(each.bytes());
      if (each.find("type").equals("function_call")) id = each.find("id").text();
    }
    input.push_back(id.empty() ? user() : result(id, "getWeather"));
    EXPECT_EQ(lint(steps(input), "gemini-2.5-flash"), Lines()) << name;
  }
}

// Live reports and ogx-ai/ogx, tests/integration/interactions/recordings: the refusal has no place.
TEST(InteractionRules, FindThoughtsThatAreMissingOrUnsigned) {
  expectRefusal(steps({user(), call(), result()}), "thought.missing", "/input/1", kInvalid);
  expectRefusal(steps({user(), output(), call(), result()}), "thought.missing", "/input/2",
                kInvalid);
  // googleapis/js-genai#1735.
  expectRefusal(steps({user(), step("thought", R"("signature":"")"), call(), result()}),
                "thought.unsigned", "/input/1", kInvalid);
  // Prism-Shadow/model-message-stream-protocol, measured in September 2026.
  expectRefusal(steps({user(), output(), kThought, call(), result()}), "thought.not_first",
                "/input/2",
                "Model turns with thought summaries must start with a thought block in thinking "
                "models");
  // Of an earlier turn no refusal is known.
  EXPECT_EQ(lint(steps({user(), call(), result(), output(), user()})),
            Lines({"warning thought.missing /input/1"}));
  EXPECT_EQ(lint(steps({user(), step("thought", R"("summary":[])"), output(), user()})),
            Lines({"warning thought.unsigned /input/1"}));
}

// A repository analyser's A/B probe of 3.5-flash-lite: call, call, result, result passes.
TEST(InteractionRules, FindCallsBehindResultsOfTheirTurn) {
  expectRefusal(steps({user(), kThought, call(), result(), call("c2"), result("c2")}),
                "step.interleaved", "/input/4", kInvalid);
}

TEST(InteractionRules, FindCallsAndResultsThatDoNotFit) {
  expectRefusal(steps({user(), kThought, call(), call(), result(), result()}),
                "step.call_duplicate_id", "/input/3/id", kInvalid);
  expectRefusal(steps({kThought, call(), result()}), "step.call_first", "/input/1",
                "Please ensure that function call turn comes immediately after a user turn or "
                "after a function response turn.");
  EXPECT_EQ(lint(steps({user(), kThought, call(), call("c2"), result()})),
            Lines({"error step.call_open /input/3"}));
  EXPECT_EQ(lint(steps({user(), kThought, call()})), Lines({"error step.call_open /input/2"}));
  EXPECT_EQ(lint(steps({user(), result()})), Lines({"error step.result_orphan /input/1"}));
  EXPECT_EQ(lint(steps({user(), kThought, call(), result(), result()})),
            Lines({"error step.result_repeated /input/4"}));
  EXPECT_EQ(lint(steps({user(), kThought, call(), result("c9")})),
            Lines({"error step.result_orphan /input/3", "error step.call_open /input/2"}));
  // The stored interaction holds the call.
  const std::string continued = R"(,"previous_interaction_id":"v1_a")";
  EXPECT_EQ(lint(steps({result()}, continued)), Lines());
  EXPECT_EQ(lint(steps({user(), result()}, continued)), Lines());
  EXPECT_EQ(lint(steps({user(), kThought, output(), user(), result()}, continued)),
            Lines({"error step.result_orphan /input/4"}));
}

TEST(InteractionRules, PairRepeatedIdsWithTheNearestCall) {
  EXPECT_EQ(lint(steps({user(), kThought, call(), result(), output(), user(), kThought, call(),
                        result()})),
            Lines());
  const std::string unnamed = step("function_call", R"("name":"f","arguments":{})");
  EXPECT_EQ(lint(steps({user(), kThought, unnamed, result()})), Lines());
}

TEST(InteractionRules, FindAnInputThatEndsWithTheModel) {
  EXPECT_EQ(lint(steps({user(), kThought, output()})),
            Lines({"warning input.ends_with_model /input/2"}));
}

// ogx-ai/ogx (recorded), and a live report of August for the name.
TEST(InteractionRules, FindResultsWithoutTheirCall) {
  const std::string block = R"({"type":"function_result","name":"f","result":{}})";
  expectRefusal(steps({user(), kThought, call(), user(block)}), "step.result_call_id",
                "/input/3/content/0/call_id",
                "Missing call_id in content of type function_result.");
  EXPECT_EQ(lint(steps({user(), kThought, call(), block})),
            Lines({"warning step.result_call_id /input/3/call_id"}));
  expectRefusal(
      steps({user(), kThought, call(), step("function_result", R"("call_id":"c1","result":{})")}),
      "step.result_name", "/input/3/name", "Missing name in content of type function_result");
  expectRefusal(steps({user(), kThought, call(),
                       user(R"({"type":"function_result","id":"c1","name":"f","result":{}})")}),
                "step.field_unknown", "/input/3/content/0/id",
                "Unknown parameter 'id' at 'input[3].content[0]'. Did you mean 'call_id'?");
}

// Live report of 7 August 2026, 3.5-flash.
TEST(InteractionRules, FindResultsOfAWrongType) {
  const std::string text = "'result' must be a Struct, FunctionResultSubcontent[], or string";
  for (const std::string value : {"5", "true", "null", "[1]", R"([{"type":"audio"}])"}) {
    const Lines found = lint(steps({user(), kThought, call(), result("c1", "f", value)}));
    EXPECT_TRUE(test::hasCode(found, "step.result_invalid")) << value;
  }
  expectRefusal(steps({user(), kThought, call(), result("c1", "f", "5")}), "step.result_invalid",
                "/input/3/result", text);
  const std::string image = R"([{"type":"text","text":"a"},{"type":"image","data":"AA=="}])";
  const std::string history = steps({user(), kThought, call(), result("c1", "f", image)});
  EXPECT_EQ(lint(history), Lines());
  const std::string older = R"({"model":"gemini-2.5-flash",)" + history.substr(28);
  EXPECT_TRUE(test::hasCode(lint(older, "gemini-2.5-flash"), "step.result_media")) << older;
}

// Six projects quote the text; whether a space counts is disputed.
TEST(InteractionRules, FindEmptyTexts) {
  expectRefusal(steps({user(R"({"type":"text","text":""})")}), "step.text_empty",
                "/input/0/content/0/text", "Missing text in content of type text.");
  EXPECT_EQ(lint(steps({user(R"({"type":"text","text":" "})")})),
            Lines({"warning step.text_empty /input/0/content/0/text"}));
  EXPECT_EQ(lint(steps({step("user_input", R"("content":"")"), user()})),
            Lines({"error step.text_empty /input/0/content"}));
}

TEST(InteractionRules, FindAnEmptyInput) {
  expectRefusal(body("[]"), "input.empty", "/input", "Request has empty input");
  expectRefusal(body("\"\""), "input.empty", "/input", "Request has empty input");
  expectRefusal(R"({"model":"gemini-3.8-flash","agent_config":{},"previous_interaction_id":"a"})",
                "input.empty", "", "Request has empty input");
}

// BerriAI/litellm#36727 and nine more.
TEST(InteractionRules, ExplainTheBetaForm) {
  expectRefusal(body(R"([{"role":"user","content":"hi"}])"), "input.turn_list", "/input",
                "When using the steps-based API version, use step_list input format instead of "
                "turn_list.");
  EXPECT_EQ(lint(body(R"([{"role":"user","parts":[{"text":"hi"}]}])")),
            Lines({"error input.turn_list /input"}));
  EXPECT_TRUE(test::hasCode(lint(R"({"object":"interaction","model":"a","outputs":[]})"),
                            "interaction.beta_form"));
}

// Three independent reports for v1; v1beta takes the list.
TEST(InteractionRules, FindAListOfContent) {
  const std::string list =
      body(R"([{"type":"text","text":"a"},{"type":"image","uri":"https://a/b.png"}])");
  EXPECT_EQ(lint(list), Lines({"warning input.content_list /input"}));
  const Judge judge;
  LintContext context = judge.context();
  context.stableVersion = true;
  EXPECT_EQ(test::linesOf(lintRequest(list, context), judge.target()),
            Lines({"error input.content_list /input"}));
  EXPECT_EQ(lint(steps({user(), R"({"type":"text","text":"a"})"})),
            Lines({"warning step.type_unsupported /input/1/type"}));
}

// Live reports; BerriAI/litellm#36733.
TEST(InteractionRules, FindTypesOfOtherApis) {
  expectRefusal(steps({user(R"({"type":"input_text","text":"a"})")}), "step.type_unsupported",
                "/input/0/content/0/type",
                "The value 'input_text' is not supported for 'type' at 'input[0].content[0]'");
  expectRefusal(steps({user(), R"({"content":[]})"}), "step.type_unsupported", "/input/1/type",
                "The value 'UNKNOWN' is not supported for 'type' at 'input[1]'");
}

// A chat client's live tests of 20 August 2026.
TEST(InteractionRules, FindFieldsOfGenerateContent) {
  expectRefusal(steps({R"({"type":"user_input","parts":[]})", user()}), "step.field_unknown",
                "/input/0/parts",
                "Unknown parameter 'parts' at 'input[0]'. Did you mean 'content'?");
  const Lines found =
      lint(steps({user(R"({"type":"image","inlineData":{"mimeType":"image/png","data":"AA"}})")}));
  EXPECT_EQ(found, Lines({"error step.field_unknown /input/0/content/0/inlineData"}));
  EXPECT_EQ(lint(steps({user(R"({"type":"text","text":"a","new_field":1})")})),
            Lines({"warning step.field_unknown /input/0/content/0/new_field"}));
}

TEST(InteractionRules, FindUnknownParametersWithTheNearestName) {
  const std::string text = body("\"a\"", R"(,"generation_config":{"topP":1})");
  expectRefusal(text, "interaction.field_unknown", "/generation_config/topP",
                "Unknown parameter 'generation_config.topP'. Did you mean 'top_p'?");
  EXPECT_EQ(lint(body("\"a\"", R"(,"thinking_level":"low")")),
            Lines({"error interaction.field_unknown /thinking_level"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"systemInstruction":"be brief")")),
            Lines({"error interaction.field_unknown /systemInstruction"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"completely_unknown_field":1,"temperature":0)")),
            Lines({"warning interaction.field_unknown /completely_unknown_field",
                   "warning interaction.field_unknown /temperature"}));
}

TEST(InteractionRules, FindWhatOnlyGenerateContentHas) {
  for (const std::string name : {"cachedContent", "cached_content", "toolConfig", "candidateCount",
                                 "response_mime_type", "responseModalities"}) {
    EXPECT_EQ(lint(body("\"a\"", ",\"" + name + "\":1")),
              Lines({"error interaction.unavailable /" + name}))
        << name;
  }
  // vercel/ai#17937.
  expectRefusal(body("\"a\"", R"(,"generation_config":{"presence_penalty":1})"),
                "interaction.unavailable", "/generation_config/presence_penalty",
                "Unknown parameter 'generation_config.presence_penalty'.");
}

// A test of a live client quotes the text.
TEST(InteractionRules, FindAnInstructionThatIsNoText) {
  expectRefusal(body("\"a\"", R"(,"system_instruction":{"parts":[{"text":"a"}]})"),
                "interaction.instruction_not_string", "/system_instruction",
                "Expected string, unexpected character: '{'.");
}

TEST(InteractionRules, FindFieldsThatExcludeEachOther) {
  EXPECT_EQ(lint(body("\"a\"", R"(,"store":false,"background":true)")),
            Lines({"error interaction.store_conflict /background"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"store":false,"previous_interaction_id":"v1_a")")),
            Lines({"warning interaction.store_conflict /previous_interaction_id"}));
  EXPECT_EQ(lint(R"({"input":"a","system_instruction":"b"})"),
            Lines({"error interaction.model_or_agent "}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"agent_config":{"type":"dynamic"})")),
            Lines({"error interaction.agent_config /agent_config"}));
  EXPECT_EQ(lint(R"({"agent":"deep-research-preview-04-2026","input":"a","background":true,)"
                 R"("generation_config":{}})"),
            Lines({"error interaction.agent_config /generation_config"}));
}

// vercel/ai and enricoros/big-AGI (live, June 2026).
TEST(InteractionRules, FindAgentsInTheWrongMode) {
  expectRefusal(R"({"agent":"deep-research-preview-04-2026","input":"a"})",
                "interaction.background", "/agent",
                "background=true is required for agent interactions.");
  EXPECT_EQ(lint(R"({"agent":"antigravity-preview-05-2026","input":"a","background":true})"),
            Lines({"error interaction.background /background"}));
}

TEST(InteractionRules, FindToolsWithoutATypeOrWithAnotherOne) {
  // ogx-ai/ogx, recorded.
  expectRefusal(body("\"a\"", R"(,"tools":[{"name":"f"}])"), "tool.type_missing", "/tools/0",
                "Missing key 'type' in input 'tools'.");
  EXPECT_EQ(lint(body("\"a\"", R"(,"tools":[{"functionDeclarations":[]}])")),
            Lines({"error tool.type_missing /tools/0"}));
  // https://ai.google.dev/gemini-api/docs/api-errors.
  const Lines found = lint(body("\"a\"", R"(,"tools":[{"type":"web_search"},{"type":"newest"}])"));
  EXPECT_EQ(found, Lines({"error tool.type_unsupported /tools/0/type",
                          "warning tool.type_unsupported /tools/1/type"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"tools":[{"type":"function","function":{"name":"f"}}])")),
            Lines({"error interaction.field_unknown /tools/0/function"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"tools":[{"type":"google_search"},)"
                               R"({"type":"function","name":"f"}])")),
            Lines());
}

// Their evidence is of generateContent.
TEST(InteractionRules, WarnOfNamesThatGenerateContentRefuses) {
  EXPECT_EQ(
      lint(body("\"a\"", R"(,"tools":[{"type":"function","name":"f g"},)"
                         R"({"type":"function","name":"h"},{"type":"function","name":"h"}])")),
      Lines({"warning tools.name_invalid /tools/0/name",
             "warning tools.duplicate_declaration /tools/2"}));
}

TEST(InteractionRules, WarnOfSchemasThatGenerateContentRefuses) {
  const std::string schema = R"({"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}})";
  EXPECT_EQ(lint(body("\"a\"",
                      R"(,"tools":[{"type":"function","name":"f","parameters":)" + schema + "}]")),
            Lines({"warning schema.ref_undefined /tools/0/parameters/properties/a/$ref"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"response_format":{"type":"text","schema":)" + schema + "}")),
            Lines({"warning schema.ref_undefined /response_format/schema/properties/a/$ref"}));
}

TEST(InteractionRules, FindToolChoicesThatFitNoTool) {
  expectRefusal(body("\"a\"", R"(,"generation_config":{"tool_choice":"any"})"),
                "interaction.tool_choice_without_functions", "/generation_config/tool_choice",
                "Function calling config is set without function_declarations.");
  const std::string tools = R"(,"tools":[{"type":"function","name":"f"}])";
  const auto choice = [&](const std::string& value) {
    return lint(body("\"a\"", tools + R"(,"generation_config":{"tool_choice":)" + value + "}"));
  };
  EXPECT_EQ(choice("\"validated\""), Lines());
  EXPECT_EQ(choice("\"AUTO\""),
            Lines({"warning interaction.enum_case /generation_config/tool_choice"}));
  EXPECT_EQ(choice(R"({"allowed_tools":{"mode":"any","tools":["f"]}})"), Lines());
  // Prism-Shadow/model-message-stream-protocol, measured.
  EXPECT_EQ(choice(R"({"allowed_tools":{"mode":"auto","tools":["g"]}})"),
            Lines({"error interaction.allowed_tools_mode "
                   "/generation_config/tool_choice/allowed_tools/mode",
                   "warning tools.allowed_name_undeclared "
                   "/generation_config/tool_choice/allowed_tools/tools/0"}));
}

// Prism-Shadow/model-message-stream-protocol, measured on 13 August and 16 September 2026.
TEST(InteractionRules, FindLevelsThatTheModelRefuses) {
  const auto level = [](const std::string& name) {
    return lint(body("\"a\"", R"(,"generation_config":{"thinking_level":")" + name + "\"}"));
  };
  EXPECT_EQ(level("low"), Lines());
  EXPECT_EQ(level("minimal"),
            Lines({"error interaction.level_unsupported /generation_config/thinking_level"}));
  EXPECT_EQ(level("LOW"),
            Lines({"warning interaction.enum_case /generation_config/thinking_level"}));
}

TEST(InteractionRules, FindMediaThatCannotBeRead) {
  EXPECT_EQ(lint(steps({user(R"({"type":"image","data":"data:image/png;base64,AA"})")})),
            Lines({"error step.data_url /input/0/content/0/data"}));
  // A chat client's live tests of 20 August 2026.
  expectRefusal(steps({user(R"({"type":"document","uri":"gs://a/b.pdf"})")}), "step.gcs_uri",
                "/input/0/content/0/uri",
                "Referencing Google Cloud Storage files directly is not supported. Register them "
                "using FileService.RegisterFile first.");
  const Judge vertex("gemini-3.8-flash", gemini::Backend::kVertex);
  EXPECT_EQ(vertex.lint(steps({user(R"({"type":"document","uri":"gs://a/b.pdf"})")})),
            Lines({"warning interaction.vertex_model /model"}));
}

TEST(InteractionRules, WarnOfWhatIsNotCertain) {
  const std::string placeholder =
      step("thought", R"("signature":"skip_thought_signature_validator")");
  EXPECT_EQ(lint(steps({user(), placeholder, call(), result()})),
            Lines({"warning thought.placeholder /input/1/signature"}));
  const std::string signedCall =
      step("function_call", R"("id":"c1","name":"f","arguments":{},"signature":"c2ln")");
  EXPECT_EQ(lint(steps({user(), kThought, signedCall, result()})),
            Lines({"warning step.signature_on_call /input/2/signature"}));
  EXPECT_EQ(
      lint(steps({user(), kThought, step("google_search_call", R"("id":"a")"), output(), user()})),
      Lines({"warning step.signature_missing /input/2"}));
  EXPECT_EQ(lint(body("\"a\"", R"(,"safety_settings":[])")),
            Lines({"warning interaction.safety_settings /safety_settings"}));
  EXPECT_EQ(
      lint(body("\"a\"", R"(,"tools":[{"type":"function","name":"f"}],)"
                         R"("response_format":{"type":"text","mime_type":"application/json",)"
                         R"("schema":{"type":"object","properties":{"a":{"type":"string"}}}})")),
      Lines({"warning interaction.schema_with_tools /response_format"}));
  const std::string summary =
      step("thought", R"("signature":"c2ln","summary":[{"type":"text","text":"a"}])");
  EXPECT_EQ(lint(steps({user(), summary, output(), user()},
                       R"(,"generation_config":{"thinking_summaries":"none"})")),
            Lines({"warning interaction.summaries_off /generation_config/thinking_summaries"}));
}

// Live report: only JPEG is written.
TEST(InteractionRules, FindImageTypesThatAreNotWritten) {
  expectRefusal(body("\"a\"", R"(,"response_format":{"type":"image","mime_type":"image/png"})"),
                "interaction.image_type", "/response_format/mime_type",
                "The value 'image/png' is not supported for 'response_format.mime_type'. Supported "
                "values: 'image/jpeg'.");
}

// Prism-Shadow/model-message-stream-protocol, measured.
TEST(InteractionRules, FindSeveralTurnsForAModelThatSpeaks) {
  const std::string text = R"({"model":"gemini-3.1-flash-tts-preview","input":[)" + user() + "," +
                           output() + "," + user() + "]}";
  EXPECT_TRUE(
      test::hasCode(lint(text, "gemini-3.1-flash-tts-preview"), "interaction.speech_turns"));
}

TEST(InteractionRules, JudgeByTheModelOfTheBody) {
  const std::string text = steps({user(), call(), result()});
  EXPECT_TRUE(test::hasCode(lint(text, "gemini-4-argon"), "thought.missing"));
  const Json parsed(text);
  const Judge judge("gemini-4-argon");
  EXPECT_EQ(contextOf(parsed.root(), judge.context()).model, "gemini-3.8-flash");
}

TEST(InteractionRules, NameTheApiOfAnotherBody) {
  EXPECT_EQ(lint(R"({"model":"claude-opus-5","max_tokens":9,"system":"a",)"
                 R"("messages":[{"role":"user","content":"hi"}]})"),
            Lines({"error body.other_api "}));
  EXPECT_EQ(lint(R"({"model":"gpt-5.6","instructions":"a","input":"hi"})"),
            Lines({"error body.other_api "}));
}

TEST(InteractionRules, ReadABodyAsTheOptionSays) {
  const Judge judge;
  LintContext context = judge.context();
  context.wire = interactions::Wire::kInteractions;
  const std::string text = R"({"model":"gpt-5.6","instructions":"a","input":"hi"})";
  EXPECT_EQ(test::linesOf(lintRequest(text, context), judge.target()),
            Lines({"error interaction.field_unknown /instructions"}));
}

// The catalogue shows these examples to users.
TEST(InteractionRules, FindWhatTheExamplesOfTheCatalogueShow) {
  const Json cases(test::readFile("src/catalogue/examples.json").value_or(""));
  size_t count = 0;
  for (const json::Value example : json::elements(cases.root().find("examples"))) {
    if (!example.find("kind").equals("interaction")) continue;
    const std::string code = example.find("code").text();
    const std::string model = example.find("options").find("model").text();
    const bool isVertex = example.find("options").find("backend").equals("vertex");
    const Judge judge(model.empty() ? "gemini-3.8-flash" : model,
                      isVertex ? gemini::Backend::kVertex : gemini::Backend::kGemini);
    EXPECT_TRUE(test::hasCode(judge.lint(std::string(example.find("failing").bytes())), code))
        << code;
    for (const std::string& line : judge.lint(std::string(example.find("fixed").bytes()))) {
      EXPECT_EQ(line.find("error "), std::string::npos) << code << ": " << line;
      EXPECT_EQ(line.find(" " + code + " "), std::string::npos) << code << ": " << line;
    }
    ++count;
  }
  EXPECT_GT(count, 40U);
}

TEST(InteractionRules, StayBoundedForManyFaults) {
  Lines many = {user()};
  for (int i = 0; i < 20'000; ++i) many.push_back(call("c"));
  for (int i = 0; i < 20'000; ++i) many.push_back(result("d"));
  EXPECT_LT(lint(steps(many)).size(), 1'100U);
}

}  // namespace
}  // namespace strata::lint
