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
      {"text.lone_surrogate", "wwwwwwww", "/contents/0/parts/0", bodyOf({user(R"(ab\ud83d)")}),
       bodyOf({user(R"(ab\ud83d\udc22)")})},
      {"role.invalid", "EEEEEEEE", "/contents/0/role", bodyOf({content("assistant", {text("a")})}),
       valid},
      {"role.invalid", "iiwwiiww", "/contents/2/role",
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
       stepWith(call(), result() + "," + kImage), stepWith(call(), kImage + "," + result())},
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
  };
}

class ContentRule : public testing::TestWithParam<RuleCase> {};

TEST_P(ContentRule, ReportsTheInvalidBodyAndAcceptsTheValidOne) { test::expectRule(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ContentRule, testing::ValuesIn(cases()));

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
