#include "dialects/import.h"

#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/mutate.h"
#include "support/random_history.h"
#include "thread/saved_form.h"

namespace strata::dialects {
namespace {

using test::Import;
using test::Lines;

TEST(ImportGemini, KeepsCamelCaseContentsByteForByte) {
  const std::vector<std::string> contents = {
      test::user("a"),
      "{ \"parts\":[{\"text\":\"\\u0041\",\"sparkle\":{\"snake_key\":1.0}}],\n\"role\":\"model\"}"};
  for (const std::string& from :
       {"[" + test::joined(contents) + "]", "{\"contents\":[" + test::joined(contents) + "]}"}) {
    const Import import(from);
    EXPECT_EQ(import.turns(), contents);
    EXPECT_EQ(import.notes(), Lines{});
  }
}

TEST(ImportGemini, NormalizesPythonSpelling) {
  const Import import(
      R"([{"parts":[{"text":"a","thought":null},{"inline_data":{"data":"-_8=","mime_type":"image/png","display_name":null}}],"role":"user"},)"
      R"({"parts":[{"function_call":{"id":null,"args":{"snake_key":null,"n":1.0},"name":"f"},"thought_signature":"skip_thought_signature_validator"}],"role":"model"},)"
      R"({"parts":[{"function_response":{"name":"f","response":{"inline_data":{"data":"-_"}},"parts":[{"inline_data":{"mime_type":"image/png","data":"_w=="}}]}}],"role":"user"}])");
  EXPECT_EQ(
      import.turns(),
      (Lines{
          R"({"parts":[{"text":"a"},{"inlineData":{"data":"+/8=","mimeType":"image/png"}}],"role":"user"})",
          R"({"parts":[{"functionCall":{"args":{"snake_key":null,"n":1.0},"name":"f"},"thoughtSignature":"skip_thought_signature_validator"}],"role":"model"})",
          R"({"parts":[{"functionResponse":{"name":"f","response":{"inline_data":{"data":"-_"}},"parts":[{"inlineData":{"mimeType":"image/png","data":"/w=="}}]}}],"role":"user"})"}));
  EXPECT_EQ(import.notes(), (Lines{"info import.left_out /0/parts/0/thought",
                                   "info import.converted /0/parts/1/inline_data",
                                   "info import.converted /0/parts/1/inline_data/data"}));
}

TEST(ImportGemini, ReportsOtherFieldsOfARequest) {
  const Import import(R"({"contents":[],"tools":[{}],"toolConfig":{}})");
  EXPECT_EQ(import.notes(), Lines{"info import.left_out /tools"});
}

TEST(ImportGemini, ReadsTheSystemInstructionInEverySdkForm) {
  const std::string contents = R"("contents":[)" + test::user("a") + "]";
  for (const std::string given :
       {R"("Be kind.")", R"({"text":"Be kind."})", R"([{"text":"Be kind."}])", R"(["Be kind."])",
        R"({"parts":{"text":"Be kind."}})", R"({"role":"user","parts":[{"text":"Be kind."}]})"}) {
    const std::string member = "\"systemInstruction\":" + given;
    for (const std::string& body :
         {"{" + member + "," + contents + "}", "{" + contents + R"(,"config":{)" + member + "}}"}) {
      const Import import(body);
      EXPECT_EQ(import.imported.systemText, "Be kind.") << body;
      EXPECT_EQ(import.turns(), Lines{test::user("a")});
    }
  }
  const Import import(R"({"systemInstruction":5,"config":{"system_instruction":[1],"seed":3},)" +
                      contents + "}");
  EXPECT_EQ(import.notes(), (Lines{"warning import.left_out /systemInstruction",
                                   "warning import.left_out /config/system_instruction/0",
                                   "info import.left_out /config/seed"}));
}

TEST(ImportGemini, ReturnsTheSystemInstructionOfARequest) {
  for (const std::string name : {"systemInstruction", "system_instruction"}) {
    const Import import("{\"" + name +
                        R"(":{"parts":[{"text":"Be kind."},{"text":"Be \u0062rief."},)" +
                        R"({"inline_data":{}}]},"contents":[)" + test::user("a") + "]}");
    EXPECT_EQ(import.imported.systemText, "Be kind.\n\nBe brief.");
    EXPECT_EQ(import.turns(), Lines{test::user("a")});
    EXPECT_EQ(import.notes(), (Lines{"warning import.system_text /" + name + "/parts/0",
                                     "warning import.left_out /" + name + "/parts/2"}));
  }
}

TEST(ImportGemini, RejectsUiMessages) {
  const Import import(R"([{"id":"1","role":"user","parts":[{"type":"text","text":"a"}]}])");
  EXPECT_EQ(import.error(), "/0: a Content; convertToModelMessages makes messages of UIMessages");
}

std::string errorOrRead(const std::string& from) {
  return Import(from).status ? "read" : Import(from).error();
}

TEST(Import, DetectsTheFormat) {
  EXPECT_EQ(Import(R"([{"role":"user","content":"a"}])").thread.size(), 1U);
  EXPECT_EQ(Import(R"({"messages":[{"role":"user","content":"a"}]})").thread.size(), 1U);
  EXPECT_EQ(Import(R"([{"type":"user_task","instruction":"a"}])").thread.size(), 1U);
  EXPECT_EQ(Import("[]").thread.size(), 0U);
  EXPECT_EQ(Import(" \n").thread.size(), 0U);
  EXPECT_EQ(errorOrRead("{}"), "/contents: a saved thread or a history");
  EXPECT_EQ(errorOrRead("7"), ": a saved thread or a history");
  EXPECT_EQ(errorOrRead(R"([{"role":"assistant","tool_calls":[{}]}])"),
            "/0/tool_calls/0: a function call with a name");
  EXPECT_EQ(errorOrRead(R"([{"role":"assistant","content":[{"type":"tool-call"}]}])"),
            "/0/content/0/toolName: the name of a tool");
  EXPECT_EQ(errorOrRead(R"([{"role":"user"},x])"), "/1: a value");
}

// An error names the format that was read and what showed it, so that a wrong guess is seen.
TEST(Import, NamesTheFormatInErrors) {
  const std::string choose = "; set `format` to choose another one";
  const std::string unknown = "Contents, since nothing shows another format" + choose;
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"7", unknown},
      {"{}", unknown},
      {R"({"contents":5})", "Contents, because it has `contents`" + choose},
      {R"([{"parts":[{"type":"text"}]}])", "Contents, because /0 has `parts`" + choose},
      {R"([{"id":1},{"role":"user","content":"a"},{"role":"robot","content":""}])",
       "OpenAI messages, because /1 has `role` and `content`" + choose},
      {R"({"messages":[{"role":"user","content":"a"},{"role":"robot","tool_call_id":"c"}]})",
       "OpenAI messages, because /messages/1 has `tool_call_id`" + choose},
      {R"([{"role":"user","content":[{"type":"input_audio"},{}]}])",
       "OpenAI messages, because /0/content/0 has the type `input_audio`" + choose},
      {R"([{"role":"assistant","tool_calls":[{}]}])",
       "OpenAI messages, because /0 has `tool_calls`" + choose},
      {R"([{"role":"user","content":[{"type":"file","file":{}},{}]}])",
       "OpenAI messages, because /0/content/0 has the type `file`" + choose},
      {R"([{"role":"user","content":[{"type":"file"}]}])",
       "AI SDK messages, because /0/content/0 has the type `file`" + choose},
      {R"([{"role":"user","content":"a","providerOptions":{}},{"role":"robot"}])",
       "AI SDK messages, because /0 has `providerOptions`" + choose},
      {R"({"system":"s","messages":[5]})", "AI SDK messages, because it has `system`" + choose},
      {R"([{"type":"who"}])", "turns with raw responses, because /0 has the type `who`" + choose},
      {R"({"turns":[5]})", "turns with raw responses, because it has `turns`" + choose},
      {R"([{"lc":1,"kwargs":{},"id":["who"]}])",
       "LangChain messages, because /0 has `lc`" + choose},
      {R"([{"type":"human","content":5}])",
       "LangChain messages, because /0 has the type `human`" + choose},
      {"{\"strata\":1}\n{\"index\":0}\n", "a saved thread, because it has `strata`" + choose}};
  for (const auto& [from, readAs] : faults) EXPECT_EQ(Import(from).readAs(), readAs) << from;

  ImportOptions options;
  options.format = Format::kOpenAi;
  EXPECT_EQ(Import(R"([{"parts":[]}])", options).readAs(), "OpenAI messages, as `format` says");
  EXPECT_EQ(Import(R"([{"role":"user"},x])").readAs(), "");
}

// Read as OpenAI's, they lost their calls and results.
TEST(Import, RefusesMessagesOfAnthropic) {
  const std::string call =
      R"([{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"tool_use","id":"t","name":"f","input":{}}]}])";
  const std::string result =
      R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"c"}]}])";
  const std::string image =
      R"({"system":"s","messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}]})";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {call, "/1/content/1/type"},
      {result, "/0/content/0/type"},
      {image, "/messages/0/content/0/type"},
      {R"({"messages":)" + call + "}", "/messages/1/content/1/type"}};
  ImportOptions openAi;
  openAi.format = Format::kOpenAi;
  for (const auto& [from, path] : cases) {
    for (const ImportOptions& options : {ImportOptions(), openAi}) {
      const std::string error = Import(from, options).error();
      EXPECT_EQ(error.find(path + ": "), 0U) << error;
      EXPECT_NE(error.find("Anthropic"), std::string::npos) << error;
    }
  }
  // LangChain's blocks have these names, and gateways repeat the calls of a message in its content.
  EXPECT_EQ(
      Import(
          R"([{"type":"human","content":"a"},{"type":"ai","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}])")
          .error(),
      "");
  EXPECT_EQ(
      Import(
          R"([{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}],"tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]}])")
          .error(),
      "");
}

TEST(Import, NamesASessionOfGeminiCli) {
  const std::string error =
      Import(
          R"({"sessionId":"s","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","type":"gemini","content":"b"}]})")
          .error();
  EXPECT_EQ(error.find("/messages/1/type: "), 0U) << error;
  EXPECT_NE(error.find("Gemini CLI"), std::string::npos) << error;
}

TEST(Import, ReadsTheSavedForm) {
  const test::Judge judge;
  thread::Thread thread = judge.thread();
  for (const std::string& each : test::RandomHistory(7).contents(8)) test::append(thread, each);
  const std::string saved = thread::save(thread).join();
  for (const std::optional<Format> format : {std::optional<Format>(), {Format::kStrata}}) {
    ImportOptions options;
    options.format = format;
    EXPECT_EQ(thread::save(Import(saved, options).thread).join(), saved);
  }
}

TEST(Import, ValidatesOptions) {
  const auto errorOf = [](const std::string& options) {
    const test::Json read(options);
    json::OptionsReader reader(read.root());
    readImportOptions(reader);
    const Status status = reader.finish();
    return status ? std::string() : status.error().path;
  };
  EXPECT_EQ(errorOf(R"({"format":"openai","signatures":"dummy"})"), "");
  EXPECT_EQ(errorOf(R"({"format":"langchain"})"), "");
  EXPECT_EQ(errorOf(R"({"format":"claude"})"), "/format");
  EXPECT_EQ(errorOf(R"({"signatures":"forge"})"), "/signatures");
  EXPECT_EQ(errorOf(R"({"signaturesFrom":{"backend":"Vertex"}})"), "/signaturesFrom/backend");
}

// A step of an earlier turn and one of the current turn, signed by Vertex AI.
const std::vector<std::string> kVertexTurns = {
    test::user("a"),
    test::callTurn(),
    test::resultTurn(),
    test::model("b"),
    test::user("c"),
    test::content("model", {test::call("g"), test::unsignedCall("h")}),
    test::content("user", {test::result("g"), test::result("h")})};

Import moved(ForeignSignatures mode, const lint::Provenance& from,
             const std::vector<std::string>& turns = kVertexTurns) {
  ImportOptions options;
  options.signatures = mode;
  options.signaturesFrom = from;
  return Import("[" + test::joined(turns) + "]", options);
}

const lint::Provenance kVertex = {"", "vertex"};

TEST(ForeignSignatures, AreKeptAndReported) {
  const Import import = moved(ForeignSignatures::kKeep, kVertex);
  EXPECT_EQ(import.turns(), kVertexTurns);
  EXPECT_EQ(import.lines(), (Lines{"error signature.foreign /contents/1/parts/0",
                                   "error signature.foreign /contents/5/parts/0"}));
}

TEST(ForeignSignatures, AreStrippedFromEveryTurn) {
  const Import import = moved(ForeignSignatures::kStrip, kVertex);
  EXPECT_EQ(import.turns()[1], test::content("model", {test::unsignedCall()}));
  EXPECT_EQ(import.turns()[5],
            test::content("model", {test::unsignedCall("g"), test::unsignedCall("h")}));
  EXPECT_EQ(import.notes(), Lines{"warning import.left_out /contents/1/parts/0"});
  EXPECT_EQ(import.lines(), Lines{"error signature.missing /contents/5/parts/0"});
}

TEST(ForeignSignatures, GetPlaceholdersOnlyInTheCurrentTurn) {
  const Import import = moved(ForeignSignatures::kDummy, kVertex);
  EXPECT_EQ(import.turns()[1], test::content("model", {test::unsignedCall()}));
  EXPECT_EQ(import.turns()[5],
            test::content("model", {test::call("g", "", "skip_thought_signature_validator"),
                                    test::unsignedCall("h")}));
  EXPECT_EQ(import.lines(), Lines{"info signature.dummy /contents/5/parts/0"});
}

TEST(ForeignSignatures, AreKeptWhenTheTargetMadeThem) {
  for (const auto mode : {ForeignSignatures::kStrip, ForeignSignatures::kDummy}) {
    for (const lint::Provenance& from :
         {lint::Provenance{"", "gemini"}, lint::Provenance{"gemini-3.8-flash", ""},
          lint::Provenance{"models/gemini-3.8-flash", "gemini"}}) {
      const Import import = moved(mode, from);
      EXPECT_EQ(import.turns(), kVertexTurns);
      EXPECT_EQ(import.notes(), Lines{});
    }
  }
}

// Another family of Gemini models may reject a signature; Gemini always rejects another vendor's.
TEST(ForeignSignatures, IncludeSignaturesOfAnotherModel) {
  const std::vector<std::pair<std::string, std::string>> models = {{"gemini-2.5-pro", "warning"},
                                                                   {"claude-sonnet-4", "error"}};
  for (const auto& [model, severity] : models) {
    const lint::Provenance from = {model, ""};
    const Import kept = moved(ForeignSignatures::kKeep, from);
    EXPECT_EQ(kept.turns(), kVertexTurns);
    EXPECT_EQ(kept.lines(), (Lines{severity + " signature.foreign /contents/1/parts/0",
                                   severity + " signature.foreign /contents/5/parts/0"}));
    EXPECT_EQ(moved(ForeignSignatures::kStrip, from).lines(),
              Lines{"error signature.missing /contents/5/parts/0"});
    EXPECT_EQ(moved(ForeignSignatures::kDummy, from).lines(),
              Lines{"info signature.dummy /contents/5/parts/0"});
  }
}

// A saved thread contains the origin of each turn.
TEST(ForeignSignatures, AreHandledWhenASavedThreadMovesToAnotherTarget) {
  const std::string saved = thread::save(moved(ForeignSignatures::kKeep, kVertex).thread).join();
  ImportOptions options;
  EXPECT_EQ(Import(saved, options, "gemini-3.8-flash", gemini::Backend::kVertex).lines(), Lines{});
  options.signatures = ForeignSignatures::kDummy;
  const Import import(saved, options);
  EXPECT_EQ(import.lines(), Lines{"info signature.dummy /contents/5/parts/0"});
  EXPECT_EQ(import.turns()[1], test::content("model", {test::unsignedCall()}));
}

TEST(ForeignSignatures, AreStrippedWithTheirEmptyText) {
  const std::string empty = R"({"text":"","thoughtSignature":"c2ln"})";
  const Import import =
      moved(ForeignSignatures::kStrip, kVertex,
            {test::user("a"), test::content("model", {empty, R"({"text":"b"})", empty}),
             test::user("c"), test::content("model", {empty, empty}), test::user("d"),
             test::content("model", {empty}), test::user("e")});
  EXPECT_EQ(import.turns()[1], test::model("b"));
  EXPECT_EQ(import.turns()[3], test::model(""));
  EXPECT_EQ(import.turns()[5], test::model("")) << "a Content needs a Part";
  EXPECT_EQ(import.notes(), Lines{"warning import.left_out /contents/1/parts/0"});
}

TEST(ForeignSignatures, AreStrippedWithTheirPart) {
  const std::string signature = R"({"thoughtSignature":"c2ln"})";
  const Import import = moved(
      ForeignSignatures::kStrip, kVertex,
      {test::user("a"), test::content("model", {R"({"text":"b"})", signature}), test::user("c"),
       test::content("model", {signature, signature}), test::user("d"),
       test::content("model", {R"({"thought":true,"thoughtSignature":"c2ln"})"}), test::user("e")});
  EXPECT_EQ(import.turns()[1], test::model("b"));
  EXPECT_EQ(import.turns()[3], test::model("")) << "a Content needs a Part";
  EXPECT_EQ(import.turns()[5], test::content("model", {R"({"thought":true})"}));
  EXPECT_EQ(import.lines(), Lines{"info text.empty /contents/3/parts/0"});
}

// Importers read or reject any input, and an imported thread survives a round trip through its
// saved form.
TEST(Import, ReadsMutatedHistoriesOrReportsAPath) {
  const std::vector<std::string> histories = {
      R"([{"role":"system","content":"s"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"assistant","tool_calls":[{"id":"c__thought__RW9C","function":{"name":"f","arguments":"{\"a\":[1]}"},"extra_content":{"vertex":{"thought_signature":"a-b_"}}}]},{"role":"tool","tool_call_id":"c__thought__RW9C","content":"{}"}])",
      R"([{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"f","input":{},"providerOptions":{"vertex":{"thoughtSignature":"RW9C"}}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c","toolName":"f","output":{"type":"content","value":[{"type":"media","data":"AA","mediaType":"image/png"}]}}]}])",
      R"([{"type":"user_task","instruction":"a"},{"type":"function_calling","response":"r","raw_response":"[{\"candidates\":[{\"content\":{\"parts\":[{\"function_call\":{\"name\":\"f\",\"args\":{}}}]}}]}]"},{"type":"tool_response","name":"f","response":{}}])", R"({"system_instruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"inline_data":{"mime_type":"a/b","data":"-_"},"thought":null}]},{"role":"model","parts":[{"text":"","thought_signature":"RW9C"},{"function_call":{"name":"f"},"thought_signature":"RW9D"}]}]})", R"([{"lc":1,"type":"constructor","id":["a","HumanMessage"],"kwargs":{"content":[{"type":"image","data":"iVBO"},"a"]}},{"type":"ai","data":{"content":[{"type":"functionCall","functionCall":{"name":"f","args":{}},"thoughtSignature":"RW9C"},{"type":"thinking","thinking":"t"}],"tool_calls":[{"id":"c","name":"f","args":{"__lc_escaped__":{"lc":1}}}],"additional_kwargs":{"signatures":["RW9C"],"__gemini_function_call_thought_signatures__":{"c":"RW9C"},"originalTextContentBlock":{"thoughtSignature":"RW9D"}}}},{"type":"tool","tool_call_id":"c","content":["a",{"type":"image_url","image_url":"data:image/png;base64,iVBO"}]}])"};
  std::mt19937 random(11);
  for (int i = 0; i < 5000; ++i) {
    const std::string from =
        test::mutated(histories[static_cast<size_t>(i) % histories.size()], random);
    ImportOptions options;
    options.signatures = ForeignSignatures::kDummy;
    options.signaturesFrom.backend = i % 3 == 0 ? "vertex" : "";
    const Import import(from, options);
    if (!import.status) {
      ASSERT_LE(import.status.error().offset, from.size()) << from;
      continue;
    }
    thread::Thread again = import.judge.thread();
    ASSERT_TRUE(thread::loadSaved(again, thread::save(import.thread).join())) << from;
    ASSERT_EQ(test::hexDigest(again), test::hexDigest(import.thread)) << from;
  }
}

}  // namespace
}  // namespace strata::dialects
