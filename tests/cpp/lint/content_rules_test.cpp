#include "lint/content_rules.h"

#include <gtest/gtest.h>

#include "support/rule_table.h"

namespace strata::lint {
namespace {

using test::bodyOf;
using test::call;
using test::content;
using test::model;
using test::result;
using test::RuleCase;
using test::text;
using test::unsignedCall;
using test::user;

const std::string kImage = R"({"inlineData":{"mimeType":"image/png","data":"AA"}})";
const std::string kOpened = user();

std::string stepWith(const std::string& modelParts, const std::string& userParts = result()) {
  return bodyOf({kOpened, content("model", {modelParts}), content("user", {userParts})});
}

std::string inlineData(const std::string& members) {
  return content("user", {R"({"inlineData":{)" + members + "}}"});
}

std::string resultWith(const std::string& members) {
  return R"({"functionResponse":{"name":"f","response":{},"parts":[{"inlineData":{)" + members +
         "}}]}}";
}

std::string responseParts(const std::string& parts) {
  return R"({"functionResponse":{"name":"f","response":{},"parts":[)" + parts + "]}}";
}

std::string filePart(const std::string& uri) {
  return bodyOf(
      {content("user", {R"({"fileData":{"mimeType":"image/png","fileUri":")" + uri + "\"}}"})});
}

std::string typed(const std::string& type, const std::string& role = "user") {
  const std::string part = R"({"inline_data":{"mime_type":")" + type + R"(","data":"AAAA"}})";
  return bodyOf({user(), content(role, {part}), user()});
}

// Returns the severity of the rule's finding, or "".
std::string severityOf(const std::string& code, const std::string& body, const char* model,
                       gemini::Backend backend = gemini::Backend::kGemini) {
  for (const std::string& line : test::Judge(model, backend).lint(body)) {
    const size_t at = line.find(" " + code + " ");
    if (at != std::string::npos) return line.substr(0, at);
  }
  return "";
}

std::vector<RuleCase> cases() {
  const std::string valid = bodyOf({user()});
  const std::string step = stepWith(call());
  return {
      {"parts.empty", "EEEEEEEE", "/contents/0", bodyOf({R"({"role":"user","parts":[]})"}), valid},
      {"parts.empty", "EEEEEEEE", "/contents/1", bodyOf({user(), R"({"role":"user"})"}), valid},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/1",
       bodyOf({content("user", {text("a"), "{}"})}), valid},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"text":null})"})}),
       bodyOf({content("user", {R"({"text":"a","functionCall":null,"thoughtSignature":null})"})})},
      {"part.no_data", "EEEEEEEE", "/contents/1/parts/0",
       bodyOf({user(), content("model", {R"({"id":"a"})"}), user()}),
       bodyOf({user(), content("model", {R"({"videoRef":{"uri":"a"}})"}), user()})},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"videoRef":{"uri":"a"}})"})}), valid},
      {"field.unknown", "iiiiiiii", "/contents/1/parts/0/videoRef",
       bodyOf({user(), content("model", {R"({"videoRef":{"uri":"a"}})"}), user()}), valid},
      {"part.multiple_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"text":"a","inline_data":{}})"})}),
       bodyOf({content("user", {R"({"text":"a","inlineData":null})"})})},
      {"text.lone_surrogate", "wwwwEEEE", "/contents/0/parts/0/text", bodyOf({user(R"(ab\ud83d)")}),
       bodyOf({user(R"(ab\ud83d\udc22)")})},
      // vertesia/llumiverse#462: a tool's result that was shortened.
      {"text.lone_surrogate", "wwwwEEEE", "/contents/2/parts/0/functionResponse/response/a~1b/1",
       stepWith(call(), R"({"functionResponse":{"name":"f","response":{"a/b":[1,"\uDC22"]}}})"),
       stepWith(call(), R"({"functionResponse":{"name":"f","response":{"a/b":[1,"\\ud83d"]}}})")},
      {"text.lone_surrogate", "wwwwEEEE", "/contents/1/parts/0/functionCall/args/\ufffd",
       stepWith(R"({"functionCall":{"name":"f","args":{"\ud83d":1}},"thoughtSignature":"AAAA"})"),
       step},
      {"text.lone_surrogate", "wwwwEEEE", "/systemInstruction/parts/0/text",
       R"({"systemInstruction":{"parts":[{"text":"\ud83d\ud83d\udc22"}]},)" + valid.substr(1),
       R"({"systemInstruction":{"parts":[{"text":"\ud83d\udc22\ufffd"}]},)" + valid.substr(1)},
      {"text.lone_surrogate", "wwwwEEEE", "/tools/0/functionDeclarations/0/description",
       R"({"tools":[{"functionDeclarations":[{"name":"f","description":"\udc22"}]}],)" +
           valid.substr(1),
       valid},
      {"role.invalid", "EEEEEEEE", "/contents/0/role", bodyOf({content("assistant", {text("a")})}),
       valid},
      // crmne/ruby_llm#678: refused by 3.1 on Vertex AI.
      {"role.invalid", "iiwwiEEE", "/contents/2/role",
       bodyOf({user(), content("model", {call()}), content("function", {result()})}), step},
      {"role.invalid", "iiiiEEEE", "/contents/0", bodyOf({R"({"parts":[{"text":"a"}]})"}), valid},
      {"role.invalid", "iwwwEEEE", "/contents/1", bodyOf({user(), R"({"parts":[{"text":"a"}]})"}),
       valid},
      {"role.invalid", "EEEEEEEE", "/contents/1",
       bodyOf({user(), R"({"parts":[)" + call() + "]}", content("user", {result()})}), step},
      {"field.unknown", "EEEEEEEE", "/contents/0/timestamp",
       bodyOf({R"({"role":"user","parts":[{"text":"a"}],"timestamp":1})"}), valid},
      {"field.unknown", "wwwwwwww", "/contents/0/parts/0/mine~1own",
       bodyOf({content("user", {R"({"text":"a","mine/own":1})"})}),
       bodyOf({content("user", {R"({"text":"a","video_metadata":{},"thought":false})"})})},
      {"field.unknown", "iiiiiiii", "/contents/1/parts/0/newField",
       bodyOf({user(), content("model", {R"({"text":"a","newField":1})"}), user()}), valid},
      {"field.unknown", "EEEEEEEE", "/contents/2/parts/0/functionResponse/callId",
       stepWith(call(), R"({"functionResponse":{"name":"f","callId":"1","response":{}}})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/0", bodyOf({"7"}), valid},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts", bodyOf({R"({"role":"user","parts":"a"})"}),
       valid},
      // A single object stands for a list of one: recorded in 0b862302791da2d5.
      {"part.no_data", "EEEEEEEE", "/contents/0/parts", bodyOf({R"({"role":"user","parts":{}})"}),
       bodyOf({R"({"role":"user","parts":{"text":"a"}})"})},
      {"parts.empty", "EEEEEEEE", "/contents", R"({"contents":{"role":"user"}})",
       R"({"contents":{"role":"user","parts":{"text":"a"}}})"},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0", bodyOf({content("user", {"\"a\""})}),
       valid},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/text",
       bodyOf({content("user", {R"({"text":1})"})}), valid},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({inlineData(R"("mimeType":"image/png","data":{"0":1,"1":2})")}),
       bodyOf({inlineData(R"("mimeType":"image/png","data":"AQ\/\u0041AQ\r\nID\n")")})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({inlineData(R"("mimeType":"image/png","data":"data:image/png;base64,AQID")")}),
       bodyOf({inlineData(R"("mime_type":"image/png","data":")" + std::string(4000, 'A') + "\"")})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({inlineData(R"("mimeType":"image/png")")}), bodyOf({content("user", {kImage})})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/mimeType",
       bodyOf({inlineData(R"("data":"AQID")")}), bodyOf({content("user", {kImage})})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/mime_type",
       bodyOf({inlineData(R"("mime_type":"","data":"AQID")")}),
       bodyOf({content("user", {kImage})})},
      {"field.invalid", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0/inlineData/data",
       stepWith(call(), resultWith(R"("mimeType":"image/png","data":"a b")")),
       stepWith(call(), resultWith(R"("mimeType":"image/png","data":"AQID")"))},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/function_call/args",
       stepWith(R"({"function_call":{"name":"f","args":[]},"thoughtSignature":"AAAA"})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/functionCall/name",
       stepWith(R"({"functionCall":{"args":{}},"thoughtSignature":"AAAA"})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/thought_signature",
       stepWith(R"({"functionCall":{"name":"f"},"thought_signature":12})"), step},
      {"json.duplicate_key", "EEEEEEEE", "/contents/1/parts/0/thought_signature",
       stepWith(R"({"functionCall":{"name":"f"},"thoughtSignature":"A","thought_signature":"B"})"),
       stepWith(
           R"({"functionCall":{"name":"f"},"thoughtSignature":"AA","thought_signature":null})")},
      {"json.duplicate_key", "EEEEEEEE", "/contents/1/parts/0/function_call",
       stepWith(R"({"functionCall":{"name":"f"},"function_call":{"name":"f"}})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/functionCall/id",
       stepWith(R"({"functionCall":{"name":"f","id":5},"thoughtSignature":"AAAA"})"), step},
      {"field.unknown", "----wwww", "/contents/0/parts/0/part_metadata",
       bodyOf({content("user", {R"({"text":"a","part_metadata":{}})"})}),
       bodyOf({content("user", {R"({"text":"a","partMetadata":null})"})})},
      {"response.count", "w---E---", "/contents/2",
       stepWith(call("f") + "," + unsignedCall("g"),
                kImage + "," + result("f") + "," + result("g")),
       stepWith(call("f"), kImage + "," + result("f"))},
      {"response.count", "w---E---", "/contents/2",
       stepWith(call("f") + "," + unsignedCall("g"),
                result("f") + R"(,{"functionResponse":{"name":"g","response":{},"parts":[)" +
                    kImage + "]}}"),
       stepWith(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g"))},
      {"text.empty", "iiiiEEEE", "/contents/0/parts/0", bodyOf({user("")}),
       bodyOf({user(), content("model", {R"({"text":"","thoughtSignature":"AAAA"})"}), user()})},
      {"signature.not_base64", "EEEEEEEE", "/contents/1/parts/0",
       stepWith(call("f", "", "no sig!")), step},
      {"signature.inside_call", "EEEEEEEE", "/contents/1/parts/0/functionCall",
       stepWith(R"({"functionCall":{"name":"f","thought_signature":"AAAA"}})"), step},
      {"signature.on_sibling", "-www-www", "/contents/1/parts/1",
       stepWith(call("f") + "," + call("g"), result("f") + "," + result("g")),
       stepWith(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g"))},
      {"signature.dummy", "iiiiiiii", "/contents/1/parts/0",
       stepWith(call("f", "", "skip_thought_signature_validator")), step},
      {"response.not_object", "EEEEEEEE", "/contents/2/parts/0/functionResponse/response",
       stepWith(call(), R"({"functionResponse":{"name":"f","response":[1]}})"), step},
      {"response.trailing_content", "-iii-iEE", "/contents/2/parts/1",
       stepWith(call(), result() + "," + kImage),
       bodyOf({kOpened, content("model", {call()}), content("user", {result()}),
               content("user", {kImage})})},
      {"response.trailing_content", "------ww", "/contents/2/parts/0",
       stepWith(call(), kImage + "," + result()), step},
      {"response.parts_unsupported", "E---E---", "/contents/2/parts/0/function_response/parts",
       stepWith(call(),
                R"({"function_response":{"name":"f","response":{},"parts":[)" + kImage + "]}}"),
       stepWith(call(), R"({"functionResponse":{"name":"f","response":{},"parts":[]}})")},
      {"field.unknown", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/1/text",
       stepWith(call(), responseParts(kImage + R"(,{"text":"a",)" + kImage.substr(1))),
       stepWith(call(), responseParts(kImage))},
      {"field.unknown", "wwwwwwww", "/contents/2/parts/0/functionResponse/parts/0/newData",
       stepWith(call(), responseParts(R"({"newData":1,)" + kImage.substr(1))), step},
      {"field.invalid", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0",
       stepWith(call(), responseParts("{}")), step},
      {"field.invalid", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0",
       stepWith(call(), responseParts("\"a\"")), step},
      {"field.invalid", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0/fileData/fileUri",
       stepWith(call(), responseParts(R"({"fileData":{"mimeType":"image/png"}})")),
       stepWith(call(), responseParts(kImage))},
      {"part.multiple_data", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0",
       stepWith(call(), responseParts(R"({"file_data":{},)" + kImage.substr(1))), step},
      {"call.duplicate_id", "-wEE-wEE", "/contents/1/parts/1/functionCall/id",
       stepWith(call("f", "7") + "," + unsignedCall("g", "7"),
                result("f", "7") + "," + result("g", "7")),
       bodyOf({user(), content("model", {call("f", "7")}), content("user", {result("f", "7")}),
               content("model", {call("f", "7")}), content("user", {result("f", "7")})})},
      {"response.interleaved", "EEEEEEEE", "/contents/1",
       bodyOf({user(), content("model", {call(), result()}), user()}), step},
      // Parts of nothing but a signature or videoMetadata: a4b5c3f538b7adde, 82e812dffd82a594.
      {"part.no_data", "wwwwwwww", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}})"})}),
       bodyOf({content("user", {text("a"), R"({"videoMetadata":{"fps":1}})"}),
               content("model", {R"({"thought":true,"thoughtSignature":"AAAA"})", text("a"),
                                 R"({"thoughtSignature":"AAAA"})", R"({"thought":true})"}),
               user()})},
      {"signature.missing_tool_call", "-EEE-www", "/contents/1/parts/0",
       stepWith(R"({"toolCall":{"id":"1"}},)" + call()),
       stepWith(R"({"toolCall":{"id":"1"},"thoughtSignature":"AAAA"},)" + call())},
      {"media.uri_unsupported", "EEEE----", "/contents/0/parts/0/fileData/fileUri",
       bodyOf({content("user", {R"({"fileData":{"fileUri":"gs://a/b"}})"})}),
       bodyOf({content("user", {R"({"fileData":{"fileUri":"https://youtu.be/a"}})"})})},
      {"media.uri_unsupported", "----wwww", "/contents/0/parts/0/file_data/file_uri",
       bodyOf(
           {content("user", {R"({"file_data":{"file_uri":)"
                             R"("https://generativelanguage.googleapis.com/v1beta/files/a"}})"})}),
       valid},
      {"media.uri_unsupported", "EEEEEEEE",
       "/contents/2/parts/0/functionResponse/parts/0/fileData/"
       "fileUri",
       stepWith(call(),
                responseParts(R"({"fileData":{"mimeType":"image/png","fileUri":"/a.png"}})")),
       step},
      {"field.invalid", "wwwwEEEE", "/contents/0/parts/0/fileData/mimeType",
       bodyOf({content("user", {R"({"fileData":{"mimeType":"","fileUri":"https://a.com/b"}})"})}),
       valid},
      {"field.invalid", "----EEEE", "/contents/0/parts/0/fileData/mimeType",
       bodyOf({content("user", {R"({"fileData":{"fileUri":"https://youtu.be/a"}})"})}), valid},
      {"field.unknown", "wwwwwwww", "/contents/0/parts/0/mediaProcess",
       bodyOf({content("user", {R"({"text":"a","mediaProcess":"STATIC"})"})}),
       bodyOf({content("user", {R"({"text":"a","mediaProcessing":"STATIC"})",
                                R"({"text":"a","speech_metadata":{"speaker":"Ana"}})"})})},
  };
}

class ContentRule : public testing::TestWithParam<RuleCase> {};

TEST_P(ContentRule, ReportsTheInvalidBodyAndAcceptsTheValidOne) { test::expectRule(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ContentRule, testing::ValuesIn(cases()));

TEST(ContentRules, RefuseUrisThatNobodyCanOpen) {
  constexpr const char* kRule = "media.uri_unsupported";
  for (const char* uri : {"data:image/png;base64,iVBORw0KGgo=",
                          "DATA:,a",
                          "/tmp/a.png",
                          "./a.png",
                          "a.png",
                          "files/a",
                          R"(C:\\a.png)",
                          "file:///a.png",
                          "blob:https://a.com/1",
                          "s3://a/b",
                          "ftp://a.com/b",
                          "gs://",
                          "gs:///b",
                          "https://",
                          "http:///a",
                          "https:a.com",
                          " https://a.com/b",
                          "www.youtube.com/a",
                          "//a.com/b",
                          "about:blank",
                          "x"}) {
    for (const auto backend : {gemini::Backend::kGemini, gemini::Backend::kVertex}) {
      EXPECT_EQ(severityOf(kRule, filePart(uri), "gemini-3.8-flash", backend), "error") << uri;
    }
  }
  for (const char* uri : {"http://localhost:3000/a.png", "https://127.0.0.1/a", "http://10.0.0.1/a",
                          "http://192.168.1.1", "http://[::1]/a", "http://nas.local/a"}) {
    EXPECT_EQ(severityOf(kRule, filePart(uri), "gemini-3.8-flash"), "warning") << uri;
  }
  for (const char* uri : {"https://a.com/b.png?c#d", "HTTPS://A.COM", "http://a.com",
                          "https://10.example.com/a", "https://storage.googleapis.com/a/b",
                          "https://www.youtube.com/watch?v=a", "https://xn--bcher-kva.example/a"}) {
    EXPECT_EQ(severityOf(kRule, filePart(uri), "gemini-3.8-flash"), "") << uri;
  }
  EXPECT_EQ(severityOf(kRule, filePart("gs://a/b"), "gemini-3.8-flash", gemini::Backend::kVertex),
            "");
  EXPECT_EQ(severityOf("field.invalid", filePart(""), "gemini-3.8-flash"), "error");
}

TEST(ContentRules, CompareMimeTypesWithTheListsOfGoogle) {
  constexpr const char* kRule = "media.type_unsupported";
  constexpr const char* kModel = "gemini-3.8-flash";
  for (const char* type :
       {"png", "image/", "/png", "image", "*/*", "image/*", ".png", "image/png,x",
        "data:image/png;base64", " image/png", "image//png", "image/png x", "bild/\u00e4"}) {
    EXPECT_EQ(severityOf(kRule, typed(type), kModel), "error") << type;
    EXPECT_EQ(severityOf(kRule, typed(type, "model"), kModel), "error") << type;
  }
  for (const char* type :
       {"application/cu-seeme", "image/gif", "image/tiff", "image/svg+xml", "video/mp2t",
        "application/zip", "application/octet-stream", "application/msword", "text/x-c"}) {
    EXPECT_EQ(severityOf(kRule, typed(type), kModel), "warning") << type;
    EXPECT_EQ(severityOf(kRule, typed(type, "model"), kModel), "") << type;
  }
  for (const char* type : {"image/png", "IMAGE/JPEG", "text/plain; charset=utf-8", "audio/x-wav",
                           "application/pdf", "video/quicktime", "audio/mpeg;rate=1"}) {
    EXPECT_EQ(severityOf(kRule, typed(type), kModel), "") << type;
  }
  const std::string instruction =
      R"({"systemInstruction":{"parts":[{"inlineData":{"mimeType":"png","data":"AA"}}]},)" +
      bodyOf({user()}).substr(1);
  EXPECT_EQ(severityOf(kRule, instruction, kModel), "error");
  const auto inResponse = [](const std::string& type) {
    return stepWith(call(),
                    responseParts(R"({"inlineData":{"mimeType":")" + type + R"(","data":"AA"}})"));
  };
  EXPECT_EQ(severityOf(kRule, inResponse("png"), kModel), "error");
  EXPECT_EQ(severityOf(kRule, inResponse("video/mp4"), kModel), "warning");
  EXPECT_EQ(severityOf(kRule, inResponse("image/webp"), kModel), "");
}

TEST(ContentRules, KnowThatHydrogenReadsOfficeFiles) {
  constexpr const char* kRule = "media.type_unsupported";
  const std::string type =
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const std::string file = bodyOf({content(
      "user", {R"({"fileData":{"fileUri":"gs://a/b.docx","mimeType":")" + type + "\"}}"})});
  const std::string inResponse = stepWith(
      call(), responseParts(R"({"inlineData":{"mimeType":")" + type + R"(","data":"AA"}})"));
  for (const std::string& body : {typed(type), file, inResponse}) {
    EXPECT_EQ(severityOf(kRule, body, "gemini-4-hydrogen", gemini::Backend::kVertex), "");
    EXPECT_EQ(severityOf(kRule, body, "gemini-4-argon", gemini::Backend::kVertex), "warning");
  }
}

// Recorded answers of models for speech, which a Conversation sends back.
TEST(ContentRules, TakeTheAudioThatTheModelSpoke) {
  const std::string body = typed("audio/L16;codec=pcm;rate=24000", "model");
  EXPECT_EQ(severityOf("media.audio_unsupported", body, "gemini-2.5-flash-preview-tts"), "");
  EXPECT_EQ(severityOf("media.type_unsupported", body, "gemini-2.5-flash-preview-tts"), "");
  EXPECT_EQ(
      severityOf("media.audio_unsupported", typed("audio/wav"), "gemini-2.5-flash-preview-tts"),
      "error");
}

// Recorded: b7d346dcd0332dec and f2b77004dae9edb5.
TEST(ContentRules, KnowThatGemini3ProTookTheRoleFunctionOnVertexAi) {
  const std::string body =
      bodyOf({user(), content("model", {call()}), content("function", {result()})});
  constexpr auto kVertex = gemini::Backend::kVertex;
  EXPECT_EQ(severityOf("role.invalid", body, "gemini-3-pro-preview", kVertex), "info");
  EXPECT_EQ(severityOf("role.invalid", body, "gemini-3.1-flash-lite-preview", kVertex), "error");
  EXPECT_EQ(severityOf("role.invalid", body, "gemini-3.1-flash-lite-preview"), "info");
}

TEST(ContentRules, BoundTheFindingsAboutCutTexts) {
  std::string texts = R"("\ud83d")";
  for (int i = 0; i < 10; ++i) texts += "," + texts;
  const std::string body =
      stepWith(call(), R"({"functionResponse":{"name":"f","response":{"a":[)" + texts + "]}}}");
  EXPECT_EQ(test::Judge().lint(body).size(), 20U);
}

// A 2.0 model on Vertex AI has accepted an empty text.
TEST(ContentRules, WarnOfAnEmptyTextForGemini20) {
  constexpr auto kVertex = gemini::Backend::kVertex;
  EXPECT_EQ(severityOf("text.empty", bodyOf({user("")}), "gemini-2.0-flash", kVertex), "warning");
}

TEST(ContentRules, SeverityOfAForeignSignatureDependsOnItsOrigin) {
  const test::Judge judge("gemini-3.8-flash");
  const auto severity = [&judge](Provenance from) {
    LintContext context = judge.context();
    context.signaturesFrom = std::move(from);
    for (const std::string& line :
         test::linesOf(lintRequest(stepWith(call()), context), judge.target())) {
      if (line.find("signature.foreign") != std::string::npos) return line;
    }
    return std::string();
  };
  EXPECT_EQ(severity({"", ""}), "");
  EXPECT_EQ(severity({"gemini-3.8-flash", "gemini"}), "");
  EXPECT_EQ(severity({"gemini-3.8-flash", "vertex"}),
            "error signature.foreign /contents/1/parts/0");
  EXPECT_EQ(severity({"gemini-3.1-pro", "gemini"}),
            "warning signature.foreign /contents/1/parts/0");
  EXPECT_EQ(severity({"claude-opus", ""}), "error signature.foreign /contents/1/parts/0");
}

}  // namespace
}  // namespace strata::lint
