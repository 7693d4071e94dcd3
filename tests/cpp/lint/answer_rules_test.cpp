#include "lint/answer_rules.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "catalogue/catalogue.h"
#include "support/contents.h"
#include "support/files.h"

namespace strata::lint {
namespace {

using test::content;
using test::Json;
using test::text;

const std::string kThought = R"({"text":"Hm","thought":true})";
const std::string kCall = R"({"functionCall":{"name":"f","args":{}}})";
const std::string kEmptyText = R"({"text":""})";

std::string kindOf(const std::vector<std::string>& parts, const std::string& reason = "STOP") {
  const Json read(content("model", parts));
  return std::string(answerKindName(classifyAnswer(reason, read.root())));
}

std::string codeOf(AnswerKind kind, bool afterResponses) {
  const catalogue::Catalogue catalogue;
  const auto rule = faultOf(kind, afterResponses);
  return rule ? std::string(catalogue.rule(*rule).code) : "";
}

TEST(AnswerRules, TellWhatAnAnswerHolds) {
  EXPECT_EQ(kindOf({text("hi")}), "text");
  EXPECT_EQ(kindOf({kThought, text("hi")}), "text");
  EXPECT_EQ(kindOf({text("hi"), kCall}), "calls");
  EXPECT_EQ(kindOf({R"({"function_call":{"name":"f"}})"}), "calls");
  EXPECT_EQ(kindOf({R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"}), "data");
  EXPECT_EQ(kindOf({R"({"somethingNew":1})"}), "data");
  EXPECT_EQ(kindOf({kThought}), "thoughts_only");
  EXPECT_EQ(kindOf({kEmptyText}), "empty");
  EXPECT_EQ(kindOf({}), "empty");
  EXPECT_EQ(classifyAnswer("STOP", json::Value()), AnswerKind::kEmpty);
}

TEST(AnswerRules, CountNoFieldThatOnlyDescribesAPart) {
  EXPECT_EQ(kindOf({R"({"thoughtSignature":"AA","thought":false})"}), "empty");
  EXPECT_EQ(kindOf({R"({"thought_signature":"AA"})"}), "empty");
  EXPECT_EQ(kindOf({R"({"inlineData":null,"functionCall":null})"}), "empty");
  // A text with another field stays a text.
  EXPECT_EQ(kindOf({R"({"text":"","partMetadata":{"a":1}})"}), "empty");
}

TEST(AnswerRules, CountVisibleTextOnly) {
  for (const char* invisible : {" \\n\\t\\u00a0\\u2003\\u3000", "\\u200b\\u200f\\ufeff",
                                "<!-- a\\nb -->", "<!----> <!-- -->", "\u200b\uFEFF"}) {
    EXPECT_EQ(kindOf({text(invisible)}), "empty") << invisible;
  }
  // WhiteSpace and LineTerminator of ECMAScript, and the characters next to them.
  for (const char* space :
       {"\\u0009", "\\u000b", "\\u000c", "\\u000d", "\\u0020", "\\u00a0", "\\u1680", "\\u2000",
        "\\u200a", "\\u2028", "\\u2029", "\\u202f", "\\u205f", "\\u3000", "\\ufeff"}) {
    EXPECT_EQ(kindOf({text(space)}), "empty") << space;
  }
  for (const char* other : {"\\u0008", "\\u000e", "\\u1681", "\\u1fff", "\\u2027", "\\u202a",
                            "\\u202e", "\\u2030", "\\u205e", "\\u2060", "\\u3001"}) {
    EXPECT_EQ(kindOf({text(other)}), "text") << other;
  }
  for (const char* visible : {"<!-- x -->y", "<!-- open", "<!-->", "<!- x -->", "\\u200b.",
                              "\\u2010", "\\ud83d\\ude00", "\\ud800"}) {
    EXPECT_EQ(kindOf({text(visible)}), "text") << visible;
  }
  // A comment may span Parts, like the text that a reader sees.
  EXPECT_EQ(kindOf({text("<!-- a"), text("b -->")}), "empty");
  // What a removed comment leaves is not read again.
  EXPECT_EQ(kindOf({text("<!<!-- -->-- x -->")}), "text");
}

TEST(AnswerRules, ExplainAMissingTextByTheFinishReason) {
  for (const auto& [reason, kind] : std::initializer_list<std::pair<const char*, const char*>>{
           {"MAX_TOKENS", "max_tokens"},
           {"SAFETY", "safety"},
           {"IMAGE_SAFETY", "safety"},
           {"PROHIBITED_CONTENT", "safety"},
           {"IMAGE_PROHIBITED_CONTENT", "safety"},
           {"BLOCKLIST", "safety"},
           {"SPII", "safety"},
           {"RECITATION", "recitation"},
           {"IMAGE_RECITATION", "recitation"},
           {"OTHER", "other"},
           {"IMAGE_OTHER", "other"},
           {"MALFORMED_FUNCTION_CALL", "malformed_call"},
           {"UNEXPECTED_TOOL_CALL", "unexpected_call"},
           {"CONTINUATION", "cut"},
           {"A_NEW_REASON", "empty"},
           {"safety", "empty"}}) {
    EXPECT_EQ(kindOf({kEmptyText}, reason), kind) << reason;
  }
  EXPECT_EQ(kindOf({kThought}, "MAX_TOKENS"), "max_tokens");
  EXPECT_EQ(kindOf({text("hi")}, "MAX_TOKENS"), "text");
  EXPECT_EQ(kindOf({R"({"inlineData":{}})"}, "SAFETY"), "data");
}

TEST(AnswerRules, PreferCallsToReasonsThatDoNotSpoilThem) {
  EXPECT_EQ(kindOf({kCall}, "MALFORMED_FUNCTION_CALL"), "malformed_call");
  EXPECT_EQ(kindOf({kCall}, "SAFETY"), "calls");
  EXPECT_EQ(kindOf({kCall}, "CONTINUATION"), "cut");
  EXPECT_EQ(kindOf({text("hi")}, "MALFORMED_FUNCTION_CALL"), "malformed_call");
  EXPECT_EQ(kindOf({text("hi")}, "UNEXPECTED_TOOL_CALL"), "unexpected_call");
  EXPECT_EQ(kindOf({text("hi")}, "CONTINUATION"), "cut");
}

TEST(AnswerRules, NameTheFaultByItsKind) {
  for (auto i = static_cast<uint8_t>(AnswerKind::kCut);
       i <= static_cast<uint8_t>(AnswerKind::kEmpty); ++i) {
    const auto kind = static_cast<AnswerKind>(i);
    EXPECT_EQ(codeOf(kind, false), "answer." + std::string(answerKindName(kind)));
  }
  for (const AnswerKind usable : {AnswerKind::kCalls, AnswerKind::kText, AnswerKind::kData}) {
    EXPECT_EQ(codeOf(usable, false), "");
  }
  EXPECT_EQ(codeOf(AnswerKind::kEmpty, true), "");
  EXPECT_EQ(codeOf(AnswerKind::kThoughtsOnly, true), "answer.thoughts_only");
  EXPECT_EQ(codeOf(AnswerKind::kSafety, true), "answer.safety");
}

std::string answer(const std::vector<std::string>& parts, bool afterResponses = false,
                   const std::string& overrides = "[]") {
  catalogue::Catalogue catalogue;
  const Json rows("{\"rules\":" + overrides + "}");
  json::OptionsReader options(rows.root());
  catalogue.addRules(options);
  EXPECT_TRUE(options.finish());
  const catalogue::Target target = {&catalogue, &catalogue.model("gemini-3.8-flash")};
  const Json read(content("model", parts));
  json::Writer out;
  writeAnswer(out, "STOP", read.root(), afterResponses, target);
  return out.take();
}

TEST(AnswerRules, AreWrittenWithTextCallsAndFault) {
  EXPECT_EQ(answer({kThought, text("so\\n"), kCall}),
            R"({"kind":"calls","blank":false,"text":"so\n","calls":[{"name":"f","args":{}}]})");
  const std::string empty = R"({"kind":"empty","blank":true,"text":"","calls":[])";
  EXPECT_EQ(answer({kEmptyText}),
            empty + R"(,"fault":{"code":"answer.empty","message":"The answer is empty"}})");
  EXPECT_EQ(answer({kEmptyText}, true), empty + "}");
  EXPECT_EQ(answer({kEmptyText}, false, R"([{"code":"answer.empty","severity":"warning"}])"),
            empty + "}");
}

// Returns the code for a result of Gemini CLI's test cases; "" if the answer is usable.
std::string codeOfResult(const std::string& result) {
  constexpr std::array<std::pair<const char*, const char*>, 8> kCodes = {{
      {"NO_RESPONSE_TEXT", "answer.empty"},
      {"THINKING_ONLY_RESPONSE", "answer.thoughts_only"},
      {"MALFORMED_FUNCTION_CALL", "answer.malformed_call"},
      {"UNEXPECTED_TOOL_CALL", "answer.unexpected_call"},
      {"SAFETY_BLOCKED", "answer.safety"},
      {"RECITATION_BLOCKED", "answer.recitation"},
      {"OTHER_BLOCKED", "answer.other"},
      {"MAX_TOKENS_EXCEEDED", "answer.max_tokens"},
  }};
  for (const auto& [name, code] : kCodes) {
    if (result == name) return code;
  }
  return "";
}

TEST(AnswerRules, AgreeWithGeminiCli) {
  const auto file = test::readFile("tests/cases/gemini_cli_stream_validation.json");
  ASSERT_TRUE(file);
  const Json cases(*file);
  size_t count = 0;
  for (const json::Value each : json::elements(cases.root().find("cases"))) {
    // A missing finishReason is a failure of the response, not of a complete answer.
    if (!each.find("finish").isString()) continue;
    std::vector<std::string> parts;
    if (each.find("thoughts").isTrue()) parts.push_back(kThought);
    const bool calls = each.find("tool_call").isTrue();
    parts.push_back(calls ? kCall : R"({"text":)" + std::string(each.find("text").bytes()) + "}");
    const Json read(content("model", parts));
    const AnswerKind kind = classifyAnswer(each.find("finish").text(), read.root());
    const bool afterResponses = each.find("request").equals("function_response");
    // Gemini CLI runs a call that Google marked as malformed, which NousResearch/hermes-agent#83886
    // calls a fault.
    const bool differs = each.find("name").equals("tool_call_malformed_finish");
    EXPECT_EQ(codeOf(kind, afterResponses),
              differs ? "answer.malformed_call" : codeOfResult(each.find("result").text()))
        << each.find("name").text();
    ++count;
  }
  EXPECT_GE(count, 15U);
}

}  // namespace
}  // namespace strata::lint
