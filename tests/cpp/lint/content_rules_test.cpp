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

std::string after(const std::string& modelParts, const std::string& userParts = result()) {
  return bodyOf({kOpened, content("model", {modelParts}), content("user", {userParts})});
}

std::string media(const std::string& members) {
  return content("user", {R"({"inlineData":{)" + members + "}}"});
}

std::string resultWith(const std::string& members) {
  return R"({"functionResponse":{"name":"f","response":{},"parts":[{"inlineData":{)" + members +
         "}}]}}";
}

std::vector<RuleCase> cases() {
  const std::string fine = bodyOf({user()});
  const std::string step = after(call());
  return {
      {"parts.empty", "EEEEEEEE", "/contents/0", bodyOf({R"({"role":"user","parts":[]})"}), fine},
      {"parts.empty", "EEEEEEEE", "/contents/1", bodyOf({user(), R"({"role":"user"})"}), fine},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/1",
       bodyOf({content("user", {text("a"), "{}"})}), fine},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"text":null})"})}),
       bodyOf({content("user", {R"({"text":"a","functionCall":null,"thoughtSignature":null})"})})},
      {"part.no_data", "EEEEEEEE", "/contents/1/parts/0",
       bodyOf({user(), content("model", {R"({"id":"a"})"}), user()}),
       bodyOf({user(), content("model", {R"({"videoRef":{"uri":"a"}})"}), user()})},
      {"part.no_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"videoRef":{"uri":"a"}})"})}), fine},
      {"field.unknown", "iiiiiiii", "/contents/1/parts/0/videoRef",
       bodyOf({user(), content("model", {R"({"videoRef":{"uri":"a"}})"}), user()}), fine},
      {"part.multiple_data", "EEEEEEEE", "/contents/0/parts/0",
       bodyOf({content("user", {R"({"text":"a","inline_data":{}})"})}),
       bodyOf({content("user", {R"({"text":"a","inlineData":null})"})})},
      {"text.lone_surrogate", "wwwwwwww", "/contents/0/parts/0", bodyOf({user(R"(ab\ud83d)")}),
       bodyOf({user(R"(ab\ud83d\udc22)")})},
      {"role.invalid", "EEEEEEEE", "/contents/0/role", bodyOf({content("assistant", {text("a")})}),
       fine},
      {"role.invalid", "wwwwwwww", "/contents/2/role",
       bodyOf({user(), content("model", {call()}), content("function", {result()})}), step},
      {"role.invalid", "iiiiEEEE", "/contents/0", bodyOf({R"({"parts":[{"text":"a"}]})"}), fine},
      {"role.invalid", "EEEEEEEE", "/contents/1", bodyOf({user(), R"({"parts":[{"text":"a"}]})"}),
       fine},
      {"field.unknown", "EEEEEEEE", "/contents/0/timestamp",
       bodyOf({R"({"role":"user","parts":[{"text":"a"}],"timestamp":1})"}), fine},
      {"field.unknown", "wwwwwwww", "/contents/0/parts/0/mine~1own",
       bodyOf({content("user", {R"({"text":"a","mine/own":1})"})}),
       bodyOf({content("user", {R"({"text":"a","video_metadata":{},"thought":false})"})})},
      {"field.unknown", "iiiiiiii", "/contents/1/parts/0/newField",
       bodyOf({user(), content("model", {R"({"text":"a","newField":1})"}), user()}), fine},
      {"field.unknown", "EEEEEEEE", "/contents/2/parts/0/functionResponse/callId",
       after(call(), R"({"functionResponse":{"name":"f","callId":"1","response":{}}})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/0", bodyOf({"7"}), fine},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts", bodyOf({R"({"role":"user","parts":{}})"}),
       fine},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0", bodyOf({content("user", {"\"a\""})}),
       fine},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/text",
       bodyOf({content("user", {R"({"text":1})"})}), fine},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({media(R"("mimeType":"image/png","data":{"0":1,"1":2})")}),
       bodyOf({media(R"("mimeType":"image/png","data":"AQ\/\u0041AQ\r\nID\n")")})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({media(R"("mimeType":"image/png","data":"data:image/png;base64,AQID")")}),
       bodyOf({media(R"("mime_type":"image/png","data":")" + std::string(4000, 'A') + "\"")})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/data",
       bodyOf({media(R"("mimeType":"image/png")")}), bodyOf({content("user", {kImage})})},
      {"field.invalid", "EEEEEEEE", "/contents/0/parts/0/inlineData/mimeType",
       bodyOf({media(R"("data":"AQID")")}), bodyOf({content("user", {kImage})})},
      {"field.invalid", "EEEEEEEE", "/contents/2/parts/0/functionResponse/parts/0/inlineData/data",
       after(call(), resultWith(R"("mimeType":"image/png","data":"a b")")),
       after(call(), resultWith(R"("mimeType":"image/png","data":"AQID")"))},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/function_call/args",
       after(R"({"function_call":{"name":"f","args":[]},"thoughtSignature":"AAAA"})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/functionCall/name",
       after(R"({"functionCall":{"args":{}},"thoughtSignature":"AAAA"})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/thought_signature",
       after(R"({"functionCall":{"name":"f"},"thought_signature":12})"), step},
      {"json.duplicate_key", "EEEEEEEE", "/contents/1/parts/0/thought_signature",
       after(R"({"functionCall":{"name":"f"},"thoughtSignature":"A","thought_signature":"B"})"),
       after(R"({"functionCall":{"name":"f"},"thoughtSignature":"AA","thought_signature":null})")},
      {"json.duplicate_key", "EEEEEEEE", "/contents/1/parts/0/function_call",
       after(R"({"functionCall":{"name":"f"},"function_call":{"name":"f"}})"), step},
      {"field.invalid", "EEEEEEEE", "/contents/1/parts/0/functionCall/id",
       after(R"({"functionCall":{"name":"f","id":5},"thoughtSignature":"AAAA"})"), step},
      {"field.unknown", "----wwww", "/contents/0/parts/0/part_metadata",
       bodyOf({content("user", {R"({"text":"a","part_metadata":{}})"})}),
       bodyOf({content("user", {R"({"text":"a","partMetadata":null})"})})},
      {"response.count", "E---E---", "/contents/2",
       after(call("f") + "," + unsignedCall("g"), kImage + "," + result("f") + "," + result("g")),
       after(call("f"), kImage + "," + result("f"))},
      {"response.count", "E---E---", "/contents/2",
       after(call("f") + "," + unsignedCall("g"),
             result("f") + R"(,{"functionResponse":{"name":"g","response":{},"parts":[)" + kImage +
                 "]}}"),
       after(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g"))},
      {"text.empty", "iiiiEEEE", "/contents/0/parts/0", bodyOf({user("")}),
       bodyOf({user(), content("model", {R"({"text":"","thoughtSignature":"AAAA"})"}), user()})},
      {"signature.not_base64", "EEEEEEEE", "/contents/1/parts/0", after(call("f", "", "no sig!")),
       step},
      {"signature.inside_call", "EEEEEEEE", "/contents/1/parts/0/functionCall",
       after(R"({"functionCall":{"name":"f","thought_signature":"AAAA"}})"), step},
      {"signature.on_sibling", "-www-www", "/contents/1/parts/1",
       after(call("f") + "," + call("g"), result("f") + "," + result("g")),
       after(call("f") + "," + unsignedCall("g"), result("f") + "," + result("g"))},
      {"signature.dummy", "iiiiiiii", "/contents/1/parts/0",
       after(call("f", "", "skip_thought_signature_validator")), step},
      {"response.not_object", "EEEEEEEE", "/contents/2/parts/0/functionResponse/response",
       after(call(), R"({"functionResponse":{"name":"f","response":[1]}})"), step},
      {"response.trailing_content", "-iEE-iEE", "/contents/2/parts/1",
       after(call(), result() + "," + kImage), after(call(), kImage + "," + result())},
      {"response.interleaved", "EEEEEEEE", "/contents/1",
       bodyOf({user(), content("model", {call(), result()}), user()}), step},
  };
}

class ContentRule : public testing::TestWithParam<RuleCase> {};

TEST_P(ContentRule, IsFoundWhereItIsBrokenAndOnlyThere) { test::expectRule(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ContentRule, testing::ValuesIn(cases()));

TEST(ContentRules, ForeignSignaturesAreJudgedByTheirOrigin) {
  const test::Judge judge("gemini-3.8-flash");
  const auto severity = [&judge](Provenance from) {
    LintContext context = judge.context();
    context.signaturesFrom = std::move(from);
    for (const std::string& line :
         test::linesOf(lintRequest(after(call()), context), judge.target())) {
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
