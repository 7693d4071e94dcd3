#include <gtest/gtest.h>

#include "json/string.h"
#include "support/cases.h"
#include "support/imports.h"

namespace strata::dialects {
namespace {

using test::Case;
using test::Import;
using test::Lines;

std::string quoted(const std::string& text) {
  std::string out;
  json::appendQuoted(out, text);
  return out;
}

std::string modelTurn(const std::string& raw, const std::string& content = "plain") {
  return R"({"type":"model_response","content":")" + content + R"(","raw_response":)" + raw + "}";
}
std::string turns(const std::string& last) {
  return R"([{"type":"user_task","instruction":"do X"},)" + last + "]";
}
std::string response(const std::string& parts) {
  return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts +
         R"(]}}],"model_version":"gemini-3.8-flash"})";
}

class RestoreCases : public testing::Test {
 protected:
  Case cases(std::string_view name) const { return cases_.root().find(name); }

 private:
  const test::Cases cases_ = test::readCases("tests/cases/pipe_restore_and_trigger.json");
};

// If `restored` is null, the turn's own text is expected. Differs from s-age/pipe in one case: pipe
// drops a Part whose signature is a string; here signatures are always kept.
TEST_F(RestoreCases, RestoresChunksOfATurn) {
  ASSERT_EQ(cases("restore_era_b").size(), 7U);
  for (const Case each : cases("restore_era_b").elements()) {
    const Import import(turns(modelTurn(each.find("raw").bytes())));
    ASSERT_EQ(import.error(), "");
    const Case restored = each.find("restored");
    const test::Cases turn(import.turns()[1]);
    const Case parts = turn.root().find("parts");
    if (each.find("name").equals("string_signature_dropped")) {
      EXPECT_TRUE(parts.at(0).find("text").equals("x"));
      EXPECT_TRUE(parts.at(0).find("thoughtSignature").equals("c2ln"));
    } else if (restored.isNull()) {
      EXPECT_EQ(parts.bytes(), R"([{"text":"plain"}])") << each.bytes();
      EXPECT_EQ(import.notes().empty(), each.find("raw").isNull());
    } else {
      ASSERT_EQ(parts.size(), restored.size());
      for (size_t i = 0; i < parts.size(); ++i) {
        const Case call = restored.at(i).find("function_call");
        const Case expected = call ? call : restored.at(i).find("text");
        const Case found = parts.at(i).find(call ? "functionCall" : "text");
        EXPECT_EQ(found.find("name").text(), expected.find("name").text());
        EXPECT_EQ(found.isString(), expected.isString());
        EXPECT_EQ(found.text(), expected.text());
        EXPECT_EQ(parts.at(i).find("thought").isTrue(), restored.at(i).find("thought").isTrue());
      }
    }
  }
}

// Older versions of s-age/pipe store one raw_response for the session, which belongs to the last
// turn. A raw_response of a turn itself is used for that turn.
TEST_F(RestoreCases, RestoresOneRawResponseOfASession) {
  ASSERT_EQ(cases("restore_era_a").size(), 4U);
  const std::string good = response(R"({"text":"signed","thought_signature":"c2ln"})");
  const std::string garbled = response(R"({"text":"signed","thought_signature":"a"})");
  for (const Case each : cases("restore_era_a").elements()) {
    std::string raw = good;
    if (each.find("raw_response").isNull()) raw = "null";
    if (each.find("raw_response").equals("oops")) raw = "\"oops\"";
    if (each.find("name").equals("signature_bad_base64")) raw = garbled;
    std::vector<std::string> all;
    for (const Case type : each.find("buffered").elements()) {
      all.push_back(type.equals("user_task") ? R"({"type":"user_task","instruction":"do X"})"
                                             : R"({"type":"model_response","content":"plain"})");
    }
    const Import import(R"({"turns":[)" + test::joined(all) + R"(],"raw_response":)" + raw + "}");
    ASSERT_EQ(import.error(), "");
    EXPECT_EQ(import.turns()[0], R"({"role":"model","parts":[{"text":"plain"}]})") << each.bytes();
  }
  const Import kept(R"({"turns":[{"type":"user_task","instruction":"do X"},)"
                    R"({"type":"model_response","content":"plain"}],"raw_response":)" +
                    good + "}");
  EXPECT_EQ(kept.turns()[1],
            R"({"role":"model","parts":[{"text":"signed","thoughtSignature":"c2ln"}]})");
}

const std::string kCallParts =
    R"({"thought":null,"function_call":{"id":null,"name":"f","args":{"snake_key":9007199254740993,"a":1.0}},"thought_signature":"a-b_"})";
const std::string kTail =
    R"({"type":"tool_response","name":"f","response":{"status":"succeeded","message":"ok"}})";

TEST(ImportRawResponse, NormalizesSnakeCaseAndBase64Url) {
  for (const std::string& raw :
       {response(kCallParts), "[" + response(kCallParts) + "]", quoted(response(kCallParts)),
        quoted("[" + response(kCallParts) + "]"), "[" + quoted(response(kCallParts)) + "]"}) {
    const Import import(turns(
        R"({"type":"function_calling","response":"f[]","timestamp":"2026-11-01T10:00:00Z","raw_response":)" +
        raw + "}," + kTail));
    ASSERT_EQ(import.error(), "");
    EXPECT_EQ(
        import.turns(),
        (Lines{
            R"({"role":"user","parts":[{"text":"do X"}]})",
            R"({"role":"model","parts":[{"functionCall":{"name":"f","args":{"snake_key":9007199254740993,"a":1.0}},"thoughtSignature":"a+b/"}]})",
            R"({"role":"user","parts":[{"functionResponse":{"name":"f","response":{"status":"succeeded","message":"ok"}}}]})"}))
        << raw;
    EXPECT_EQ(import.thread.meta(1), R"({"at":"2026-11-01T10:00:00Z","model":"gemini-3.8-flash"})");
    EXPECT_EQ(import.lines(), Lines{});
  }
}

TEST(ImportRawResponse, UsesAllChunks) {
  const Import import(
      turns(modelTurn("[" + response(R"({"text":"Hel"})") + "," + response(R"({"text":"lo"})") +
                      "," + response(R"({"text":"","thought_signature":"c2ln"})") + "]")));
  EXPECT_EQ(
      import.turns()[1],
      R"({"role":"model","parts":[{"text":"Hel"},{"text":"lo"},{"text":"","thoughtSignature":"c2ln"}]})");
}

// The API takes such Parts back.
TEST(ImportRawResponse, KeepsPartsWithoutData) {
  const std::string call = test::call("f", "", "c2lnbmVk");
  for (const std::string& part :
       Lines{R"({"thoughtSignature":"c2lnMg=="})", R"({"thought":true})", R"({"newField":{}})"}) {
    const Import import(turns(R"({"type":"function_calling","response":"f[]","raw_response":)" +
                              response(call + "," + part) + "}," + kTail));
    EXPECT_EQ(import.turns()[1], test::content("model", {call, part}));
    EXPECT_EQ(import.notes(), Lines{});
  }
  const Import empty(turns(modelTurn(response(R"({"text":"a"},{})"))));
  EXPECT_EQ(empty.turns()[1], test::model("plain"));
}

TEST(ImportRawResponse, KeepsALostCallAndItsResultAsText) {
  const std::string call = R"({"type":"function_calling","response":"f[1]")";
  for (const std::string& raw : Lines{"}", R"(,"raw_response":"{oops"})"}) {
    const Import import(turns(call + raw + "," + kTail));
    EXPECT_EQ(
        import.turns(),
        (Lines{
            R"({"role":"user","parts":[{"text":"do X"}]})",
            R"({"role":"model","parts":[{"text":"Function call: f[1]"}]})",
            R"({"role":"user","parts":[{"text":"Tool response (f): {\"status\":\"succeeded\",\"message\":\"ok\"}"}]})"}));
    EXPECT_EQ(import.lines(), Lines{});
    EXPECT_EQ(import.notes().size(), 2U);
    EXPECT_TRUE(test::hasCode(import.notes(), "import.text_fallback"));
  }
}

TEST(ImportRawResponse, KeepsSummariesAndThoughts) {
  const Import import(
      R"([{"type":"compressed_history","content":"Long ago.","original_turns_range":[0,9]},)"
      R"({"type":"user_task","instruction":"do X"},)"
      R"({"type":"model_response","content":"Done.","thought":"Easy.","timestamp":"t"}])");
  EXPECT_EQ(
      import.turns(),
      (Lines{R"({"role":"user","parts":[{"text":"Long ago."}]})",
             R"({"role":"user","parts":[{"text":"do X"}]})",
             R"({"role":"model","parts":[{"text":"Easy.","thought":true},{"text":"Done."}]})"}));
  EXPECT_TRUE(test::hasCode(import.notes(), "import.converted"));
}

TEST(ImportRawResponse, ReportsThePathOfAnInvalidTurn) {
  ImportOptions options;
  options.format = Format::kRawResponse;
  const auto errorOf = [&](const std::string& from) { return Import(from, options).error(); };
  EXPECT_EQ(errorOf("{}"), "/turns: an array of turns");
  EXPECT_EQ(errorOf(R"([{"type":"who"}])"), "/0/type: the type of a turn");
  EXPECT_EQ(errorOf(R"([{"type":"user_task"}])"), "/0/instruction: text");
  EXPECT_EQ(errorOf(R"([{"type":"model_response"}])"), "/0/content: text");
  EXPECT_EQ(errorOf(R"([{"type":"tool_response"}])"), "/0/name: the name of a tool");
}

}  // namespace
}  // namespace strata::dialects
