#include <gtest/gtest.h>

#include "interactions/convert_body.h"
#include "interactions/to_contents.h"
#include "interactions/to_steps.h"
#include "support/contents.h"
#include "support/shared_files.h"

namespace strata::interactions {
namespace {

using test::Json;
using Lines = std::vector<std::string>;

std::string steps(const std::string& contents, const ConvertOptions& options = {}) {
  const Json read(contents);
  return stepsOf(read.root(), options).json;
}

std::string contents(const std::string& list) {
  const Json read(list);
  return contentsOf(read.root()).json;
}

Lines codesOf(const catalogue::Findings& findings) {
  const test::Judge judge;
  return test::linesOf(findings, judge.target());
}

const std::string kUser = R"({"role":"user","parts":[{"text":"hi"}]})";
const std::string kInput = R"({"type":"user_input","content":[{"type":"text","text":"hi"}]})";

// Prism-Shadow/model-message-stream-protocol, measured on 16 and 17 September 2026.
TEST(ToSteps, PutsASignatureDirectlyBeforeItsItem) {
  EXPECT_EQ(
      steps("[" + kUser + R"(,{"role":"model","parts":[{"text":"a","thoughtSignature":"S"}]}])"),
      "[" + kInput +
          R"(,{"type":"thought","signature":"S"},)"
          R"({"type":"model_output","content":[{"type":"text","text":"a"}]}])");
  EXPECT_EQ(steps(R"([{"role":"model","parts":[
                  {"functionCall":{"id":"c","name":"f","args":{"x":1.0}},"thoughtSignature":"S"},
                  {"functionCall":{"id":"d","name":"g","args":{}}}]}])"),
            R"([{"type":"thought","signature":"S"},)"
            R"({"type":"function_call","id":"c","name":"f","arguments":{"x":1.0}},)"
            R"({"type":"function_call","id":"d","name":"g","arguments":{}}])");
}

TEST(ToSteps, OpensATurnWithItsFirstSignature) {
  // Native: the thought opens the turn, and the text stands between it and the call.
  EXPECT_EQ(steps(R"([{"role":"model","parts":[{"text":"a"},
                  {"functionCall":{"id":"c","name":"f"},"thoughtSignature":"S"}]}])"),
            R"([{"type":"thought","signature":"S"},)"
            R"({"type":"model_output","content":[{"type":"text","text":"a"}]},)"
            R"({"type":"function_call","id":"c","name":"f","arguments":{}}])");
  // A streamed answer has its signature in an empty Part at its end.
  EXPECT_EQ(
      steps(R"([{"role":"model","parts":[{"text":"a"},{"text":"","thoughtSignature":"S"}]}])"),
      R"([{"type":"thought","signature":"S"},)"
      R"({"type":"model_output","content":[{"type":"text","text":"a"}]},)"
      R"({"type":"thought","signature":"S"}])");
  // An unsigned thought in front gets the same signature.
  EXPECT_EQ(steps(R"([{"role":"model","parts":[{"text":"t","thought":true},{"text":"a"},
                  {"text":"b","thoughtSignature":"S"}]}])"),
            R"([{"type":"thought","signature":"S","summary":[{"type":"text","text":"t"}]},)"
            R"({"type":"model_output","content":[{"type":"text","text":"a"}]},)"
            R"({"type":"thought","signature":"S"},)"
            R"({"type":"model_output","content":[{"type":"text","text":"b"}]}])");
}

TEST(ToSteps, NamesATurnWithoutASignatureOrOpensItWithThePlaceholder) {
  const std::string turn =
      "[" + kUser + R"(,{"role":"model","parts":[{"functionCall":{"id":"c","name":"f"}}]}])";
  const Json read(turn);
  const Converted bare = stepsOf(read.root());
  EXPECT_EQ(codesOf(bare.findings), Lines({"warning convert.unsigned /contents/1"}));
  EXPECT_EQ(bare.json,
            "[" + kInput + R"(,{"type":"function_call","id":"c","name":"f","arguments":{}}])");
  const ConvertOptions options{true};
  const Converted opened = stepsOf(read.root(), options);
  EXPECT_EQ(codesOf(opened.findings), Lines({"info convert.changed /contents/1"}));
  EXPECT_EQ(opened.json,
            "[" + kInput +
                R"(,{"type":"thought","signature":"skip_thought_signature_validator"},)"
                R"({"type":"function_call","id":"c","name":"f","arguments":{}}])");
}

TEST(ToSteps, GivesCallsAndResultsTheSameId) {
  const Json read(R"([{"role":"model","parts":[{"functionCall":{"name":"f"},"thoughtSignature":"S"},
      {"functionCall":{"name":"g"}}]},{"role":"user","parts":[
      {"functionResponse":{"name":"g","response":{"a":1}}},
      {"functionResponse":{"name":"f","response":{"result":"b"}}}]}])");
  const Converted converted = stepsOf(read.root());
  EXPECT_EQ(converted.json,
            R"([{"type":"thought","signature":"S"},)"
            R"({"type":"function_call","id":"call_1","name":"f","arguments":{}},)"
            R"({"type":"function_call","id":"call_2","name":"g","arguments":{}},)"
            R"({"type":"function_result","call_id":"call_2","name":"g","result":{"a":1}},)"
            R"({"type":"function_result","call_id":"call_1","name":"f","result":"b"}])");
  EXPECT_EQ(codesOf(converted.findings), Lines({"info convert.changed /contents/0/parts/0",
                                                "info convert.changed /contents/0/parts/1"}));
}

TEST(ToSteps, OpensATurnOfSeveralContentsOnce) {
  const Json read(R"([{"role":"model","parts":[{"text":"a"}]},{"role":"model","parts":[
      {"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"S"}]}])");
  const Converted converted = stepsOf(read.root());
  EXPECT_EQ(converted.json, R"([{"type":"thought","signature":"S"},)"
                            R"({"type":"model_output","content":[{"type":"text","text":"a"}]},)"
                            R"({"type":"function_call","id":"c","name":"f","arguments":{}}])");
  EXPECT_EQ(codesOf(converted.findings), Lines({"info convert.changed /contents/1"}));
}

TEST(ToSteps, InventsIdsThatAreFreeAndFindsTheirResults) {
  const Json read(R"([{"role":"model","parts":[
      {"functionCall":{"name":"f","args":{}},"thoughtSignature":"S"},
      {"functionCall":{"id":"call_1","name":"g","args":{}}}]},{"role":"user","parts":[
      {"functionResponse":{"id":"call_1","name":"g","response":{}}},
      {"functionResponse":{"id":"x","name":"f","response":{}}}]}])");
  const Converted converted = stepsOf(read.root());
  EXPECT_EQ(converted.json,
            R"([{"type":"thought","signature":"S"},)"
            R"({"type":"function_call","id":"call_2","name":"f","arguments":{}},)"
            R"({"type":"function_call","id":"call_1","name":"g","arguments":{}},)"
            R"({"type":"function_result","call_id":"call_1","name":"g","result":{}},)"
            R"({"type":"function_result","call_id":"call_2","name":"f","result":{}}])");
  EXPECT_EQ(codesOf(converted.findings), Lines({"info convert.changed /contents/0/parts/0",
                                                "info convert.changed /contents/1/parts/1"}));
}

TEST(ToSteps, LeavesOutOrSignsAThoughtThatNothingSigns) {
  const Json read(R"([{"role":"model","parts":[{"text":"t","thought":true},{"text":"a"}]}])");
  const std::string output = R"({"type":"model_output","content":[{"type":"text","text":"a"}]}])";
  const Converted bare = stepsOf(read.root());
  EXPECT_EQ(bare.json, "[" + output);
  EXPECT_EQ(codesOf(bare.findings), Lines({"warning convert.lost /contents/0"}));
  const ConvertOptions options{true};
  const Converted opened = stepsOf(read.root(), options);
  EXPECT_EQ(opened.json, R"([{"type":"thought","signature":"skip_thought_signature_validator",)"
                         R"("summary":[{"type":"text","text":"t"}]},)" +
                             output);
  EXPECT_EQ(codesOf(opened.findings), Lines({"info convert.changed /contents/0"}));
}

TEST(ToSteps, ConvertsMediaByTheirType) {
  EXPECT_EQ(steps(R"([{"role":"user","parts":[
      {"inlineData":{"mimeType":"image/png","data":"AA=="},"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}},
      {"fileData":{"mimeType":"video/mp4","fileUri":"https://a/v"},"videoMetadata":{"fps":2,"startOffset":"1s"}},
      {"inline_data":{"mime_type":"application/pdf","data":"AA=="}}]}])"),
            R"([{"type":"user_input","content":[)"
            R"({"type":"image","data":"AA==","mime_type":"image/png","resolution":"high"},)"
            R"({"type":"video","uri":"https://a/v","mime_type":"video/mp4",)"
            R"("processing":{"type":"static","start_offset":"1s","fps":2}},)"
            R"({"type":"document","data":"AA==","mime_type":"application/pdf"}]}])");
}

TEST(ToSteps, NamesWhatHasNoPlace) {
  const Json read(R"([{"role":"user","parts":[{"text":"a","partMetadata":{}}],"timestamp":1},
      {"role":"model","parts":[{"executableCode":{"code":"1"}},{"toolCall":{"id":"t"}}]},
      {"role":"user","parts":[{"functionResponse":{"name":"f","response":{},"parts":[
        {"inlineData":{"mimeType":"audio/wav","data":"AA=="}}]}}]}])");
  EXPECT_EQ(
      codesOf(stepsOf(read.root()).findings),
      Lines({"warning convert.lost /contents/0/parts/0", "warning convert.lost /contents/0",
             "warning convert.lost /contents/1/parts/0", "warning convert.lost /contents/1/parts/1",
             "warning convert.lost /contents/2/parts/0"}));
}

TEST(ToContents, PutsTheSignatureOfTheOpeningThoughtOnTheFirstCall) {
  EXPECT_EQ(contents(R"([{"type":"user_input","content":"hi"},{"type":"thought","signature":"S",
      "summary":[{"type":"text","text":"t"}]},
      {"type":"model_output","content":[{"type":"text","text":"a"}]},
      {"type":"function_call","id":"c","name":"f","arguments":{}},
      {"type":"function_call","id":"d","name":"f","arguments":{}},
      {"type":"function_result","call_id":"c","name":"f","result":"r"},
      {"type":"function_result","call_id":"d","name":"f","result":{"a":1},"is_error":true}])"),
            R"([{"role":"user","parts":[{"text":"hi"}]},)"
            R"({"role":"model","parts":[{"text":"t","thought":true},{"text":"a"},)"
            R"({"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"S"},)"
            R"({"functionCall":{"id":"d","name":"f","args":{}}}]},)"
            R"({"role":"user","parts":[)"
            R"({"functionResponse":{"id":"c","name":"f","response":{"result":"r"}}},)"
            R"({"functionResponse":{"id":"d","name":"f","response":{"error":{"a":1}}}}]}])");
}

// Recorded turns of OpenCode and RubyLLM: parallel calls may have the same signature.
TEST(ToContents, KeepsASignatureThatRepeatsOnTheFirstCall) {
  const std::string calls =
      R"([{"role":"model","parts":[)"
      R"({"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"P"},)"
      R"({"functionCall":{"id":"b","name":"f","args":{}},"thoughtSignature":"P"}]}])";
  EXPECT_EQ(contents(steps(calls)), calls);
  const std::string textAndCall =
      R"([{"role":"model","parts":[{"text":"a","thoughtSignature":"P"},)"
      R"({"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"P"}]}])";
  EXPECT_EQ(contents(steps(textAndCall)), textAndCall);
  const std::string textBehind =
      R"([{"role":"model","parts":[)"
      R"({"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"P"},)"
      R"({"text":"b","thoughtSignature":"P"}]}])";
  EXPECT_EQ(contents(steps(textBehind)), textBehind);
  // An opening copy is none of an item.
  const std::string behindText =
      R"([{"role":"model","parts":[{"text":"a"},{"text":"b","thoughtSignature":"P"}]}])";
  EXPECT_EQ(contents(steps(behindText)), behindText);
}

TEST(ToContents, KeepsATurnWholeAroundAnUnknownStep) {
  const std::string list =
      R"([{"type":"thought","signature":"S"},{"type":"elicitation_call"},)"
      R"({"type":"function_call","id":"a","name":"f","arguments":{}},{"type":"compaction"},)"
      R"({"type":"function_result","call_id":"a","name":"f","result":{}},{"type":"compaction"},)"
      R"({"type":"function_result","call_id":"b","name":"f","result":{}}])";
  const Json read(list);
  const Converted converted = contentsOf(read.root());
  EXPECT_EQ(converted.json,
            R"([{"role":"model","parts":[)"
            R"({"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"S"}]},)"
            R"({"role":"user","parts":[)"
            R"({"functionResponse":{"id":"a","name":"f","response":{}}},)"
            R"({"functionResponse":{"id":"b","name":"f","response":{}}}]}])");
  EXPECT_EQ(codesOf(converted.findings),
            Lines({"warning convert.lost /input/1", "warning convert.lost /input/3",
                   "warning convert.lost /input/5"}));
}

TEST(ToContents, ReadsArgumentsThatAreATextOrNamesThem) {
  const auto converted = [](const std::string& arguments) {
    const Json read(R"([{"type":"thought","signature":"S"},{"type":"function_call","id":"a",)"
                    R"("name":"f","arguments":)" +
                    arguments + "}]");
    return contentsOf(read.root());
  };
  const auto part = [](const std::string& args) {
    return R"([{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":)" + args +
           R"(},"thoughtSignature":"S"}]}])";
  };
  const Converted text = converted(R"("{\"x\": 1}")");
  EXPECT_EQ(text.json, part(R"({"x": 1})"));
  EXPECT_EQ(codesOf(text.findings), Lines({"info convert.changed /input/1"}));
  const Converted list = converted("[1]");
  EXPECT_EQ(list.json, part("{}"));
  EXPECT_EQ(codesOf(list.findings), Lines({"warning convert.lost /input/1"}));
  const Json call(R"([{"role":"model","parts":[{"functionCall":{"id":"a","name":"f",)"
                  R"("args":"{\"x\":1}"},"thoughtSignature":"S"}]}])");
  EXPECT_NE(stepsOf(call.root()).json.find(R"("arguments":{"x":1})"), std::string::npos);
}

TEST(ToContents, NamesFieldsThatHaveNoPlace) {
  const Json read(R"([{"type":"user_input","content":"a","new_a":1},
      {"type":"thought","signature":"S","new_b":1},
      {"type":"function_call","id":"a","name":"f","arguments":{},"new_c":1,"new_d":null},
      {"type":"function_result","call_id":"a","name":"f","result":{},"signature":"S","new_e":1}])");
  const catalogue::Findings found = contentsOf(read.root()).findings;
  EXPECT_EQ(codesOf(found), Lines({"warning convert.lost /input/0", "warning convert.lost /input/1",
                                   "warning convert.lost /input/2", "warning convert.lost /input/3",
                                   "warning convert.lost /input/3"}));
}

TEST(ToContents, SignsTheFirstCallPastAnUnsignedThought) {
  EXPECT_EQ(contents(R"([{"type":"thought","signature":"S"},
                  {"type":"thought","summary":[{"type":"text","text":"t"}]},
                  {"type":"model_output","content":"a"},
                  {"type":"function_call","id":"a","name":"f","arguments":{}}])"),
            R"([{"role":"model","parts":[{"text":"t","thought":true},{"text":"a"},)"
            R"({"functionCall":{"id":"a","name":"f","args":{}},"thoughtSignature":"S"}]}])");
}

TEST(ToContents, NamesStepsOfBuiltInToolsAndAnnotations) {
  const auto file = test::readShared("interactions/google-search.json");
  if (!file) GTEST_SKIP() << test::missingFolder("interactions");
  const Json answer(*file);
  const Converted converted = contentsOf(answer.root().find("steps"), "/steps");
  EXPECT_EQ(codesOf(converted.findings),
            Lines({"warning convert.lost /steps/1", "warning convert.lost /steps/2",
                   "warning convert.lost /steps/3"}));
  EXPECT_NE(converted.json.find("thoughtSignature"), std::string::npos);
}

TEST(ToContents, ReadsAnInputThatIsATextOrOneContent) {
  EXPECT_EQ(contents("\"hi\""), "[" + kUser + "]");
  EXPECT_EQ(contents(R"({"type":"text","text":"hi"})"), "[" + kUser + "]");
  EXPECT_EQ(contents("\"\""), "[]");
}

TEST(ToContents, KeepsImagesOfResults) {
  const std::string list =
      R"([{"type":"function_result","call_id":"c","name":"f","result":[)"
      R"({"type":"text","text":"a"},{"type":"image","data":"AA==","mime_type":"image/png"}]}])";
  EXPECT_EQ(contents(list),
            R"([{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f",)"
            R"("response":{"result":[{"type":"text","text":"a"}]},)"
            R"("parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}}]}])");
  EXPECT_EQ(steps(contents(list)), list);
  // A functionResponse has no resolution, and no image without data.
  const std::string lost =
      R"([{"type":"function_result","call_id":"c","name":"f","result":[)"
      R"({"type":"image","data":"AA==","mime_type":"image/png","resolution":"low"}]}])";
  EXPECT_EQ(contents(lost).find("mediaResolution"), std::string::npos);
  EXPECT_EQ(codesOf(contentsOf(Json(lost).root()).findings),
            Lines({"warning convert.lost /input/0"}));
}

// The objects of other tools may look like Content.
TEST(ToSteps, KeepAResultThatIsNoContent) {
  for (const std::string list :
       {R"([{"type":"image","data":"aGk=","mimeType":"image/png"}])",
        R"([{"type":"text","text":""}])", R"([{"type":"image","url":"https://a/b.png"}])"}) {
    const std::string contents =
        R"([{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f",)"
        R"("response":{"result":)" +
        list + "}}}]}]";
    EXPECT_EQ(steps(contents),
              R"([{"type":"function_result","call_id":"c","name":"f","result":{"result":)" + list +
                  "}}]");
  }
}

TEST(ToContents, ReadsAListOfContent) {
  EXPECT_EQ(contents(R"([{"type":"text","text":"a"},{"type":"image","data":"AA=="}])"),
            R"([{"role":"user","parts":[{"text":"a"},{"inlineData":{"data":"AA=="}}]}])");
  EXPECT_EQ(codesOf(contentsOf(Json(R"([{"role":"user","content":"a"}])").root()).findings),
            Lines({"error convert.refused /input"}));
  EXPECT_EQ(contents(R"([{"type":"user_input","content":{"type":"function_result",)"
                     R"("call_id":"c","name":"f","result":{}}}])"),
            R"([{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f",)"
            R"("response":{}}}]}])");
}

TEST(ToContents, NamesASecondSignatureOfACall) {
  const std::string call =
      R"([{"type":"thought","signature":"U1U1"},{"type":"function_call","id":"a","name":"f",)"
      R"("arguments":{},"signature":"U2U2"}])";
  EXPECT_NE(contents(call).find(R"("thoughtSignature":"U1U1")"), std::string::npos);
  EXPECT_EQ(codesOf(contentsOf(Json(call).root()).findings),
            Lines({"warning convert.lost /input/1"}));
}

TEST(ToContents, NamesUnsignedCallsOfTheCurrentTurnOrSignsThem) {
  const std::string turn = R"({"type":"user_input","content":"q"},)"
                           R"({"type":"function_call","id":"a","name":"f","arguments":{}},)"
                           R"({"type":"function_result","call_id":"a","name":"f","result":{}})";
  const Json body(R"({"input":[)" + turn + "," + turn + "]}");
  const test::Judge judge;
  const Converted reported = generateContentOf(body.root(), judge.target());
  EXPECT_EQ(codesOf(reported.findings), Lines({"warning convert.unsigned /input/4"}));
  const Converted filled = generateContentOf(body.root(), judge.target(), {true});
  EXPECT_EQ(judge.lint(filled.json), Lines({"info response.not_followed_by_model /contents/3",
                                            "info signature.dummy /contents/4/parts/0"}));
  const test::Judge older("gemini-2.5-flash");
  EXPECT_EQ(codesOf(generateContentOf(body.root(), older.target()).findings), Lines());
}

// Two thoughts may have one signature; a text in front of them has none.
TEST(ToSteps, OpensATextBeforeAThoughtWithACopyThatComesBack) {
  const std::string model =
      R"([{"role":"model","parts":[{"text":"a"},{"text":"q","thought":true},)"
      R"({"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"U1U1"}]}])";
  EXPECT_EQ(contents(steps(model)), model);
}

class Bodies : public testing::Test {
 protected:
  Converted toInteraction(const std::string& body) {
    const Json read(body);
    return interactionOf(read.root(), "gemini-3.8-flash", judge_.target());
  }
  Converted toGenerateContent(const std::string& body) {
    const Json read(body);
    return generateContentOf(read.root(), judge_.target());
  }
  test::Judge judge_;
};

TEST_F(Bodies, ConvertConfigToolsAndFormat) {
  const Converted converted = toInteraction(
      R"({"contents":[)" + kUser + R"(],"systemInstruction":{"parts":[{"text":"be brief"}]},
      "tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":
        {"a":{"type":"STRING","nullable":true}}}},{"name":"g","parametersJsonSchema":{"type":"object"}}]},
        {"googleSearch":{}}],
      "toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},
      "generationConfig":{"maxOutputTokens":9,"topP":0.5,"stopSequences":["x"],"candidateCount":1,
        "thinkingConfig":{"thinkingLevel":"LOW","includeThoughts":true},
        "responseMimeType":"application/json","responseJsonSchema":{"type":"string"}}})");
  EXPECT_EQ(
      converted.json,
      R"({"model":"gemini-3.8-flash","store":false,"system_instruction":"be brief","tools":[)"
      R"({"type":"function","name":"f","parameters":{"type":"object","properties":)"
      R"({"a":{"type":["string","null"]}}}},)"
      R"({"type":"function","name":"g","parameters":{"type":"object"}},{"type":"google_search"}],)"
      R"("generation_config":{"max_output_tokens":9,"top_p":0.5,"stop_sequences":["x"],)"
      R"("thinking_level":"low","thinking_summaries":"auto",)"
      R"("tool_choice":{"allowed_tools":{"mode":"any","tools":["f"]}}},)"
      R"("response_format":[{"type":"text","mime_type":"application/json",)"
      R"("schema":{"type":"string"}}],"input":[)" +
          kInput + "]}");
  EXPECT_EQ(codesOf(converted.findings), Lines());
}

TEST_F(Bodies, NameWhatTheInteractionsApiDoesNotHave) {
  const Converted converted = toInteraction(
      R"({"contents":[)" + kUser + R"(],"cachedContent":"cachedContents/a","safetySettings":[],
      "generationConfig":{"thinkingConfig":{"thinkingBudget":5},"logprobs":2,"candidateCount":2}})");
  EXPECT_EQ(
      codesOf(converted.findings),
      Lines({"warning convert.lost /generationConfig",
             "warning convert.lost /generationConfig/thinkingConfig",
             "error convert.refused /generationConfig", "error convert.refused /cachedContent",
             "warning convert.lost /safetySettings"}));
}

TEST_F(Bodies, ConvertInteractionsBodies) {
  const Converted converted = toGenerateContent(
      R"({"model":"gemini-3.8-flash","input":"hi","system_instruction":"be brief","stream":true,
      "store":false,"tools":[{"type":"function","name":"f","parameters":{"type":"object"}},
        {"type":"google_maps","latitude":1,"longitude":2,"enable_widget":true}],
      "generation_config":{"top_k":3,"thinking_level":"low","tool_choice":"any"},
      "response_format":[{"type":"text"},{"type":"image","aspect_ratio":"1:1"}]})");
  EXPECT_EQ(converted.json,
            R"({"systemInstruction":{"parts":[{"text":"be brief"}]},"tools":[)"
            R"({"googleMaps":{"enableWidget":true}},)"
            R"({"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}}]}],)"
            R"("toolConfig":{"functionCallingConfig":{"mode":"ANY"},)"
            R"("retrievalConfig":{"latLng":{"latitude":1,"longitude":2}},)"
            R"("includeServerSideToolInvocations":true},)"
            R"("generationConfig":{"topK":3,"thinkingConfig":{"thinkingLevel":"LOW"},)"
            R"("responseModalities":["TEXT","IMAGE"],"imageConfig":{"aspectRatio":"1:1"}},)"
            R"("store":false,"contents":[)" +
                kUser + "]}");
  EXPECT_EQ(codesOf(converted.findings), Lines());
  const auto background = [&](const std::string& value) {
    const std::string text = R"({"model":"m","input":"hi","background":)" + value + "}";
    return codesOf(toGenerateContent(text).findings);
  };
  EXPECT_EQ(background("false"), Lines());
  EXPECT_EQ(background("true"), Lines({"error convert.refused /background"}));
  const Converted stateful = toGenerateContent(
      R"({"model":"m","input":"hi","previous_interaction_id":"v1_a","webhook_config":{}})");
  EXPECT_EQ(codesOf(stateful.findings), Lines({"error convert.refused /previous_interaction_id",
                                               "warning convert.lost /webhook_config"}));
}

TEST_F(Bodies, ConvertRecordedRequestsWithoutErrors) {
  const auto file = test::readShared("interactions/exchanges.jsonl");
  if (!file) GTEST_SKIP() << test::missingFolder("interactions");
  for (const std::string& line : test::linesIn(*file)) {
    const Json exchange(line);
    const json::Value request = exchange.root().find("request");
    if (request.find("previous_interaction_id")) continue;
    const Converted there = generateContentOf(request, judge_.target());
    const Json body(there.json);
    ASSERT_TRUE(body.ok()) << there.json;
    EXPECT_EQ(codesOf(there.findings), Lines()) << line;
    for (const std::string& found : judge_.lint(there.json)) {
      EXPECT_NE(found.substr(0, 5), "error") << found << there.json;
    }
    const Converted back =
        interactionOf(body.root(), request.find("model").text(), judge_.target());
    for (const std::string& found : judge_.lint(back.json)) {
      EXPECT_NE(found.substr(0, 5), "error") << found << back.json;
    }
    const Json again(back.json);
    EXPECT_EQ(again.root().find("input").size(), request.find("input").size()) << back.json;
  }
}

}  // namespace
}  // namespace strata::interactions
