#include <gtest/gtest.h>

#include "interactions/convert_body.h"
#include "interactions/to_contents.h"
#include "interactions/to_steps.h"
#include "interactions/wire.h"
#include "support/contents.h"

namespace strata::interactions {
namespace {

using test::Json;
using Lines = std::vector<std::string>;

Lines codesOf(const catalogue::Findings& findings) {
  const test::Judge judge;
  return test::linesOf(findings, judge.target());
}

TEST(Losses, NameTheErrorOfAModelOutput) {
  const Json steps(R"([{"type":"model_output","content":"a","error":{"code":"safety"}}])");
  EXPECT_EQ(codesOf(contentsOf(steps.root()).findings), Lines({"warning convert.lost /input/0"}));
  const Json unset(R"([{"type":"model_output","content":"a","error":null}])");
  EXPECT_EQ(codesOf(contentsOf(unset.root()).findings), Lines());
}

TEST(Losses, NameUserPartsThatAreNoContent) {
  const Json contents(
      R"([{"role":"user","parts":[{"text":"a"},{"executableCode":{"code":"1"}}]}])");
  const Converted converted = stepsOf(contents.root());
  EXPECT_EQ(codesOf(converted.findings), Lines({"warning convert.lost /contents/0/parts/1"}));
  EXPECT_EQ(converted.findings.front().arg1, "executableCode");
}

TEST(Losses, NameContentOfAnUnknownType) {
  const Json steps(R"([{"type":"user_input","content":[{"type":"new_kind","data":"AA=="}]}])");
  const Converted converted = contentsOf(steps.root());
  EXPECT_EQ(codesOf(converted.findings),
            Lines({"warning convert.lost /input/0", "info convert.changed /input/0"}));
  EXPECT_EQ(converted.json, "[]");
}

TEST(Losses, RefuseBodiesOfOtherMethods) {
  const test::Judge judge;
  const Json cache(R"({"contents":[],"ttl":"60s"})");
  EXPECT_EQ(codesOf(interactionOf(cache.root(), "m", judge.target()).findings),
            Lines({"error convert.refused /ttl"}));
}

TEST(Losses, AreNoneForAPlaceOfGoogleMaps) {
  const test::Judge judge;
  const Json body(R"({"contents":[],"tools":[{"googleMaps":{}}],)"
                  R"("toolConfig":{"retrievalConfig":{"latLng":{"latitude":1.5,"longitude":2}}}})");
  const Converted converted = interactionOf(body.root(), "m", judge.target());
  EXPECT_EQ(converted.json,
            R"({"model":"m","store":false,)"
            R"("tools":[{"type":"google_maps","latitude":1.5,"longitude":2}],"input":[]})");
  EXPECT_EQ(codesOf(converted.findings), Lines());
}

TEST(Losses, NameASecondPlaceOfGoogleMaps) {
  const test::Judge judge;
  const auto contentOf = [&](const std::string& place) {
    const Json body(R"({"input":[],"tools":[{"type":"google_maps","latitude":1},)"
                    R"({"type":"google_maps",)" +
                    place + "}]}");
    return generateContentOf(body.root(), judge.target());
  };
  const Converted same = contentOf(R"("latitude":1)");
  EXPECT_EQ(same.json,
            R"({"tools":[{"googleMaps":{}},{"googleMaps":{}}],)"
            R"("toolConfig":{"retrievalConfig":{"latLng":{"latitude":1}}},"contents":[]})");
  EXPECT_EQ(codesOf(same.findings), Lines());
  const Converted other = contentOf(R"("latitude":1,"longitude":2)");
  EXPECT_EQ(other.json, same.json);
  EXPECT_EQ(codesOf(other.findings), Lines({"warning convert.lost /tools/1"}));
}

TEST(Losses, NameASecondFormatOfAKind) {
  const test::Judge judge;
  const Json body(R"({"input":[],"response_format":[{"type":"text","schema":{"type":"string"}},)"
                  R"({"type":"image"},{"type":"text","schema":{}}]})");
  const Converted converted = generateContentOf(body.root(), judge.target());
  EXPECT_EQ(converted.json, R"({"generationConfig":{"responseMimeType":"application/json",)"
                            R"("responseJsonSchema":{"type":"string"},)"
                            R"("responseModalities":["TEXT","IMAGE"]},"contents":[]})");
  EXPECT_EQ(codesOf(converted.findings), Lines({"warning convert.lost /response_format"}));
}

TEST(Losses, NameInstructionsAndLabelsThatHaveNoPlace) {
  const test::Judge judge;
  const Json steps(R"({"input":"a","system_instruction":{"parts":[]},"labels":{"a":"b"}})");
  EXPECT_EQ(codesOf(generateContentOf(steps.root(), judge.target()).findings),
            Lines({"warning convert.lost /system_instruction", "warning convert.lost /labels"}));
  const test::Judge vertex("gemini-3.8-flash", gemini::Backend::kVertex);
  EXPECT_NE(generateContentOf(steps.root(), vertex.target()).json.find("labels"),
            std::string::npos);
  const Json contents(R"({"contents":[],"systemInstruction":"Be brief."})");
  EXPECT_EQ(codesOf(interactionOf(contents.root(), "m", judge.target()).findings),
            Lines({"warning convert.lost /systemInstruction"}));
}

TEST(Losses, NameAnEmptyInput) {
  const Json steps(R"([{"type":"user_input","content":[{"type":"text","text":""}]}])");
  EXPECT_EQ(codesOf(contentsOf(steps.root()).findings), Lines({"info convert.changed /input/0"}));
}

TEST(Losses, NameFieldsThatNobodyReads) {
  const test::Judge judge;
  const Json contents(R"({"contents":[],"foo":1,"store":false,)"
                      R"("generationConfig":{"responseModalities":["TEXT","VIDEO"]}})");
  EXPECT_EQ(codesOf(interactionOf(contents.root(), "m", judge.target()).findings),
            Lines({"warning convert.lost /generationConfig", "warning convert.lost /foo"}));
  const Json steps(
      R"({"input":[{"type":"function_result","call_id":"a","name":"f","is_error":true,)"
      R"("result":1}],"response_format":{"type":"audio","sample_rate":8000}})");
  EXPECT_EQ(codesOf(generateContentOf(steps.root(), judge.target()).findings),
            Lines({"warning convert.lost /response_format", "warning convert.lost /input/0"}));
}

TEST(Losses, AreNoneForTheTypesOfASearch) {
  const test::Judge judge;
  const Json contents(
      R"({"contents":[],"tools":[{"googleSearch":{"searchTypes":{"webSearch":{},"imageSearch":{}}}}]})");
  const Converted there = interactionOf(contents.root(), "m", judge.target());
  EXPECT_EQ(there.json, R"({"model":"m","store":false,"tools":[{"type":"google_search",)"
                        R"("search_types":["web_search","image_search"]}],"input":[]})");
  EXPECT_EQ(generateContentOf(Json(there.json).root(), judge.target()).json,
            R"({"tools":[{"googleSearch":{"searchTypes":{"webSearch":{},"imageSearch":{}}}}],)"
            R"("store":false,"contents":[]})");
}

TEST(Losses, NameTheKindOfAFileThatNothingSays) {
  const auto kind = [](const std::string& file) {
    const Json contents(R"([{"role":"user","parts":[{"fileData":{)" + file + "}}]}]");
    const Converted converted = stepsOf(contents.root(), {});
    const Json steps(converted.json);
    const json::Value content = steps.root().at(0).find("content").at(0);
    return content.find("type").text() + (converted.findings.empty() ? "" : " changed");
  };
  EXPECT_EQ(kind(R"("fileUri":"https://www.youtube.com/watch?v=x")"), "video");
  EXPECT_EQ(kind(R"("fileUri":"https://a/b.PNG?c=d.mp3")"), "image");
  EXPECT_EQ(kind(R"("fileUri":"https://a/b","mimeType":"VIDEO/MP4")"), "video");
  EXPECT_EQ(kind(R"("fileUri":"https://a/b.pdf")"), "document");
  EXPECT_EQ(kind(R"("fileUri":"https://a/files/b")"), "document changed");
  const Json steps(R"([{"type":"user_input","content":[{"type":"audio","uri":"https://a/b"},)"
                   R"({"type":"audio","uri":"https://a/b.mp3"}]}])");
  EXPECT_EQ(codesOf(contentsOf(steps.root()).findings), Lines({"warning convert.lost /input/0"}));
}

TEST(Losses, NameWhatIsNotTakenOfToolConfigAndOfASchema) {
  const test::Judge judge;
  const auto lost = [&](const std::string& fields) {
    const Json body(R"({"contents":[],)" + fields + "}");
    std::string names;
    for (const auto& finding : interactionOf(body.root(), "m", judge.target()).findings)
      names += finding.path + " " + finding.arg1 + ";";
    return names;
  };
  const std::string tools = R"("tools":[{"functionDeclarations":[{"name":"f"}]}],)";
  EXPECT_EQ(lost(R"("toolConfig":{"retrievalConfig":{"languageCode":"no","latLng":{}}})"),
            "/toolConfig languageCode;/toolConfig latLng;");
  const std::string names =
      R"("toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["f"],)";
  EXPECT_EQ(lost(tools + names + R"("mode":"AUTO","streamFunctionCallArguments":true}})"),
            "/toolConfig allowedFunctionNames;/toolConfig streamFunctionCallArguments;");
  EXPECT_EQ(lost(names + R"("mode":"ANY"}})"), "/toolConfig allowedFunctionNames;");
  EXPECT_EQ(lost(tools + names + R"("mode":"ANY"},"includeServerSideToolInvocations":true})"), "");
  EXPECT_EQ(lost(R"("generationConfig":{"responseJsonSchema":{}})"),
            "/generationConfig responseJsonSchema;");
  EXPECT_EQ(lost(R"("generationConfig":{"responseSchema":{},"responseMimeType":"text/plain"})"),
            "/generationConfig responseSchema;");
}

Wire wire(const std::string& body) {
  const Json read(body);
  return wireOf(read.root());
}

TEST(Wire, WeighsRolesAndToolCallsOfMessages) {
  EXPECT_EQ(wire(R"({"input":[{"role":"assistant","content":"a"}]})"), Wire::kOpenAiResponses);
  EXPECT_EQ(wire(R"({"input":[{"role":"model","content":"a"}]})"), Wire::kInteractions);
  EXPECT_EQ(wire(R"({"top_k":1,"messages":[{"role":"assistant","tool_calls":[]}]})"),
            Wire::kOpenAiChat);
  EXPECT_EQ(wire(R"({"top_k":1,"messages":[{"role":"user","tool_call_id":"a"}]})"),
            Wire::kOpenAiChat);
  EXPECT_EQ(wire(R"({"top_k":1,"messages":[{"role":"user","content":"a"}]})"),
            Wire::kAnthropicMessages);
}

}  // namespace
}  // namespace strata::interactions
