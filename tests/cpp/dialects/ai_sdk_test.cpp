#include <gtest/gtest.h>

#include "support/imports.h"

namespace strata::dialects {
namespace {

using test::Import;
using test::Lines;

std::string assistant(const std::string& parts) {
  return R"({"role":"assistant","content":[)" + parts + "]}";
}
std::string tool(const std::string& parts) {
  return R"({"role":"tool","content":[)" + parts + "]}";
}
std::string asked(const std::string& rest) {
  return R"([{"role":"user","content":"Weather?"},)" + rest + "]";
}

const std::string kSignedCall =
    R"({"type":"tool-call","toolCallId":"c1","toolName":"weather","input":{"city":"Rome","n":1.0},"providerOptions":{"google":{"thoughtSignature":"RW9Cc2ln"}}})";
const std::string kSibling =
    R"({"type":"tool-call","toolCallId":"c2","toolName":"time","input":{}})";

std::string resultPart(const std::string& id, const std::string& name, const std::string& output) {
  return R"({"type":"tool-result","toolCallId":")" + id + R"(","toolName":")" + name +
         R"(","output":)" + output + "}";
}

TEST(ImportAiSdk, KeepsTheSignatureAndOrderOfAStep) {
  const Import import(asked(
      assistant(R"({"type":"reasoning","text":"Two tools.","providerOptions":{"google":{}}},)" +
                kSignedCall + "," + kSibling) +
      "," + tool(resultPart("c2", "time", R"({"type":"text","value":"noon"})")) + "," +
      tool(resultPart("c1", "weather", R"({"type":"json","value":{"sky":"clear","t":21.0}})"))));
  ASSERT_EQ(import.error(), "");
  EXPECT_EQ(
      import.turns(),
      (Lines{
          R"({"role":"user","parts":[{"text":"Weather?"}]})",
          R"({"role":"model","parts":[{"text":"Two tools.","thought":true},{"functionCall":{"id":"c1","name":"weather","args":{"city":"Rome","n":1.0}},"thoughtSignature":"RW9Cc2ln"},{"functionCall":{"id":"c2","name":"time","args":{}}}]})",
          R"({"role":"user","parts":[{"functionResponse":{"id":"c1","name":"weather","response":{"sky":"clear","t":21.0}}},{"functionResponse":{"id":"c2","name":"time","response":{"output":"noon"}}}]})"}));
  EXPECT_EQ(import.lines(), Lines{});
}

// The provider `google.interactions()` has the signatures of thought steps on reasoning parts.
TEST(ImportAiSdk, PassesTheSignatureOfAReasoningToItsItem) {
  const auto reasoning = [](const std::string& text, const std::string& signature) {
    return R"({"type":"reasoning","text":")" + text + R"(","providerOptions":{"google":{)" +
           signature + "}}}";
  };
  const std::string text = R"({"type":"text","text":"Hm."})";
  const std::string first = reasoning("One.", R"("signature":"QUFB")");
  const std::string second = reasoning("", R"("signature":"QkJC")");
  const std::string sibling = R"({"functionCall":{"id":"c2","name":"time","args":{}})";
  const std::string thought = R"({"text":"One.","thought":true},)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {first + "," + text + "," + kSibling,
       thought + R"({"text":"Hm."},)" + sibling + R"(,"thoughtSignature":"QUFB"})"},
      {first + "," + text + "," + second + "," + kSibling,
       thought + R"({"text":"Hm.","thoughtSignature":"QUFB"},)" + sibling +
           R"(,"thoughtSignature":"QkJC"})"},
      {reasoning("One.", R"("thoughtSignature":"QUFB")") + "," + kSibling,
       thought + sibling + R"(,"thoughtSignature":"QUFB"})"},
      {first, R"({"text":"One.","thought":true,"thoughtSignature":"QUFB"})"}};
  for (const auto& [parts, expected] : cases) {
    const Import import(asked(assistant(parts)));
    EXPECT_EQ(import.turns()[1], R"({"role":"model","parts":[)" + expected + "]}");
  }
}

TEST(ImportAiSdk, LeavesOutAResultThatRepeatsAnother) {
  const std::string first = resultPart("c1", "weather", R"({"type":"text","value":"clear"})");
  const std::string second = resultPart("c2", "time", R"({"type":"text","value":"noon"})");
  const Import import(asked(assistant(kSignedCall + "," + kSibling) + "," + tool(first) + "," +
                            tool(first) + "," + tool(second)));
  EXPECT_EQ(import.thread.size(), 3U);
  EXPECT_EQ(import.lines(), Lines{});
  EXPECT_EQ(import.notes(), Lines{"warning import.left_out /3/content/0"});
}

TEST(ImportAiSdk, ConvertsEveryOutputTypeToAnObject) {
  const std::vector<std::pair<std::string, std::string>> outputs = {
      {R"({"type":"text","value":"ok"})", R"({"output":"ok"})"},
      {R"({"type":"json","value":[1,2.0]})", R"({"output":[1,2.0]})"},
      {R"({"type":"json","value":null})", R"({"output":null})"},
      {R"({"type":"error-text","value":"no"})", R"({"error":"no"})"},
      {R"({"type":"error-json","value":{"code":5}})", R"({"error":{"code":5}})"},
      {R"({"type":"execution-denied","reason":"too late"})", R"({"error":"too late"})"},
      {R"({"type":"content","value":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})",
       R"({"output":"a\nb"})"},
  };
  for (const auto& [output, response] : outputs) {
    const Import import(
        asked(assistant(kSignedCall) + "," + tool(resultPart("c1", "weather", output))));
    EXPECT_NE(import.turns()[2].find(R"("response":)" + response + "}}"), std::string::npos)
        << import.turns()[2];
    EXPECT_EQ(import.lines(), Lines{});
  }
}

TEST(ImportAiSdk, PutsFilesOfAResultIntoItsParts) {
  for (const std::string file :
       {R"({"type":"media","data":"iVBORw==","mediaType":"image/png"})",
        R"({"type":"file-data","data":"iVBORw==","mediaType":"image/png"})",
        R"({"type":"file","data":{"type":"data","data":"iVBORw=="},"mediaType":"image/png"})",
        R"({"type":"file","data":{"type":"url","url":"data:image/png;base64,iVBORw=="}})"}) {
    const Import import(
        asked(assistant(kSignedCall) + "," +
              tool(resultPart(
                  "c1", "weather",
                  R"({"type":"content","value":[{"type":"text","text":"map"},)" + file + "]}"))));
    EXPECT_NE(
        import.turns()[2].find(
            R"("response":{"output":"map"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}])"),
        std::string::npos)
        << import.turns()[2];
  }
}

TEST(ImportAiSdk, PutsFilesOfAResultBehindItForOlderModels) {
  const Import import(
      asked(
          assistant(kSignedCall) + "," +
          tool(resultPart(
              "c1", "weather",
              R"({"type":"content","value":[{"type":"text","text":"map"},{"type":"media","data":"iVBORw==","mediaType":"image/png"}]})"))),
      {}, "gemini-2.5-pro");
  EXPECT_EQ(import.turns()[2].find("inlineData"), std::string::npos);
  EXPECT_EQ(
      import.turns()[3],
      R"({"role":"user","parts":[{"text":"Media of the tool response (weather):"},{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}}]})");
}

// A call without input has no arguments; functionCall.args is an object.
TEST(ImportAiSdk, WritesArgumentsAsAnObject) {
  const std::string start = R"({"type":"tool-call","toolCallId":"c1","toolName":"f")";
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"", "{}"},
      {R"(,"input":null)", "{}"},
      {R"(,"input":{"a":1.0})", R"({"a":1.0})"},
      {R"(,"args":{"a":1.0})", R"({"a":1.0})"},
      {R"(,"input":[])", "{}"},
      {R"(,"input":"[]")", "{}"},
      {R"(,"input":"{\"a\":1.0}")", R"({"a":1.0})"},
      {R"(,"input":[1])", R"({"input":[1]})"}};
  for (const auto& [input, args] : inputs) {
    const Import import(asked(assistant(start + input + "}")));
    EXPECT_NE(import.turns()[1].find(R"("args":)" + args), std::string::npos) << input;
    const bool isWrapped = input == R"(,"input":[1])";
    EXPECT_EQ(import.notes(), isWrapped ? Lines{"info import.converted /1/content/0"} : Lines{})
        << input;
  }
}

// The AI SDK sends an image of an unknown kind as image/jpeg: vercel/ai,
// packages/google/src/convert-to-google-generative-ai-messages.ts.
TEST(ImportAiSdk, ReplacesTheWildcardOfAnImage) {
  const Import import(
      R"([{"role":"user","content":[{"type":"file","data":"AAAA","mediaType":"image/*"},)"
      R"({"type":"file","data":"iVBORw0KGgo=","mediaType":"image/*"}]}])");
  EXPECT_EQ(
      import.turns(),
      Lines{
          R"({"role":"user","parts":[{"inlineData":{"mimeType":"image/jpeg","data":"AAAA"}},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]})"});
}

TEST(ImportAiSdk, DerivesTheBackendFromTheProviderName) {
  for (const std::string place :
       {R"("providerOptions":{"vertex":{"thoughtSignature":"RW9C"}})",
        R"("providerOptions":{"googleVertex":{"thoughtSignature":"RW9C"}})",
        R"("callProviderMetadata":{"vertex":{"thoughtSignature":"RW9C"}})"}) {
    const std::string call =
        R"({"type":"tool-call","toolCallId":"c1","toolName":"f","input":{},)" + place + "}";
    const Import import(asked(assistant(call)));
    EXPECT_EQ(import.thread.meta(1), R"({"backend":"vertex"})");
    EXPECT_EQ(import.lines(), Lines{"error signature.foreign /contents/1/parts/0"});
    const Import vertex(asked(assistant(call)), {}, "gemini-3.8-flash", gemini::Backend::kVertex);
    EXPECT_EQ(vertex.lines(), Lines{});
  }
}

TEST(ImportAiSdk, KeepsSignaturesOfTextAndReasoning) {
  const std::string options = R"("providerMetadata":{"google":{"thoughtSignature":"a-b_"}}})";
  const Import import(
      asked(assistant(R"({"type":"reasoning","text":"Hm.",)" + options + "," +
                      R"({"type":"text","text":"Clear."},{"type":"text","text":"",)" + options)));
  EXPECT_EQ(
      import.turns()[1],
      R"({"role":"model","parts":[{"text":"Hm.","thought":true,"thoughtSignature":"a+b/"},{"text":"Clear."},{"text":"","thoughtSignature":"a+b/"}]})");
  EXPECT_EQ(import.notes(), Lines{"info import.converted /1/content/0/providerMetadata/google"});
}

TEST(ImportAiSdk, ImportsFilesInEveryForm) {
  const Import import(R"([{"role":"user","content":[
    {"type":"image","image":"iVBORw0KGgo="},
    {"type":"image","image":"https://example.com/a.webp"},
    {"type":"file","data":"JVBERi0=","mediaType":"application/pdf"},
    {"type":"file","data":{"type":"text","text":"héllo"},"mediaType":"text/plain"},
    {"type":"file","data":{"type":"reference","reference":{"google":"https://generativelanguage.googleapis.com/v1beta/files/x"}},"mediaType":"video/mp4"},
    {"type":"file","data":"data:text/plain,a%20b","mediaType":"text/plain"}]}])");
  ASSERT_EQ(import.error(), "");
  EXPECT_EQ(
      import.turns()[0],
      R"({"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"fileData":{"mimeType":"image/webp","fileUri":"https://example.com/a.webp"}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}},{"inlineData":{"mimeType":"text/plain","data":"aMOpbGxv"}},{"fileData":{"mimeType":"video/mp4","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/x"}},{"inlineData":{"mimeType":"text/plain","data":"YSBi"}}]})");
}

TEST(ImportAiSdk, ReturnsTheSystemText) {
  for (const std::string system : {R"("Be kind.")", R"({"role":"system","content":"Be kind."})"}) {
    const Import import(R"({"system":)" + system +
                        R"(,"messages":[{"role":"user","content":"a"}]})");
    EXPECT_EQ(import.imported.systemText, "Be kind.");
    EXPECT_EQ(import.turns(), Lines{test::user("a")});
    EXPECT_EQ(import.notes(), Lines{"warning import.system_text /system"});
  }
}

TEST(ImportAiSdk, RestoresGoogleServerToolsAsParts) {
  const std::string google =
      R"("providerExecuted":true,"providerOptions":{"google":{"serverToolCallId":"s1","serverToolType":"GOOGLE_SEARCH_WEB","thoughtSignature":"RW9C"}}})";
  const Import import(asked(assistant(
      R"({"type":"tool-call","toolCallId":"x","toolName":"google_search","input":{"q":"a"},)" +
      google +
      R"(,{"type":"tool-result","toolCallId":"x","toolName":"google_search","output":{"type":"json","value":{"r":1}},)" +
      google)));
  EXPECT_EQ(
      import.turns()[1],
      R"({"role":"model","parts":[{"toolCall":{"id":"s1","toolType":"GOOGLE_SEARCH_WEB","args":{"q":"a"}},"thoughtSignature":"RW9C"},{"toolResponse":{"id":"s1","toolType":"GOOGLE_SEARCH_WEB","response":{"r":1}},"thoughtSignature":"RW9C"}]})");
}

TEST(ImportAiSdk, OmitsAndReportsOtherProvidersOptions) {
  const Import import(asked(assistant(
      R"({"type":"reasoning","text":"Hm.","providerOptions":{"anthropic":{"signature":"EqQB"}}},{"type":"tool-approval-request","approvalId":"a"},{"type":"text","text":"Clear."})")));
  EXPECT_EQ(import.notes(), (Lines{"info import.left_out /1/content/0/providerOptions/anthropic",
                                   "warning import.left_out /1/content/1"}));
}

// Text of a tool must not become words of the model.
TEST(ImportAiSdk, TakesOnlyResultsFromAToolMessage) {
  const std::string sure = R"({"role":"assistant","content":"Sure."},)";
  for (const std::string& part :
       Lines{R"({"type":"text","text":"tool text"})", R"({"type":"reasoning","text":"Hm."})",
             R"({"type":"file","data":"AA==","mediaType":"image/png"})", kSignedCall,
             R"({"type":"tool-approval-response","approvalId":"a","approved":true})"}) {
    ImportOptions options;
    options.format = Format::kAiSdk;
    const Import import(asked(sure + tool(part) + R"(,{"role":"user","content":"next"})"), options);
    EXPECT_EQ(import.turns(),
              (Lines{test::user("Weather?"), test::model("Sure."), test::user("next")}))
        << part;
    EXPECT_EQ(import.notes(), Lines{"warning import.left_out /2/content/0"}) << part;
  }
}

TEST(ImportAiSdk, ReportsThePathOfAnInvalidMessage) {
  ImportOptions options;
  options.format = Format::kAiSdk;
  const auto errorOf = [&](const std::string& from) { return Import(from, options).error(); };
  EXPECT_EQ(errorOf("{}"), "/messages: an array of ModelMessages");
  EXPECT_EQ(errorOf(R"([{"role":"data","content":""}])").substr(0, 7), "/0/role");
  EXPECT_EQ(
      errorOf(R"([{"role":"user","content":[{"type":"image","image":{"0":137}}]}])").substr(0, 12),
      "/0/content/0");
  EXPECT_EQ(errorOf(R"([{"role":"tool","content":"a"}])"), "/0/content: an array of parts");
  EXPECT_EQ(errorOf(R"([{"role":"tool","content":[{}]}])"),
            "/0/content/0/type: the type of a part");
  EXPECT_EQ(errorOf(asked(tool(resultPart("c", "f", R"({"type":"new"})")))),
            "/1/content/0/output: an output of a known type");
}

}  // namespace
}  // namespace strata::dialects
