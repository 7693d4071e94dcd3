#include <gtest/gtest.h>

#include "dialects/openai_chunks.h"
#include "dialects/openai_request.h"
#include "support/contents.h"
#include "support/mutate.h"

namespace strata::dialects {
namespace {

using test::Json;

const std::string kRequest =
    R"({"model":"gemini-3.8-flash","temperature":0.5,"n":2,"stop":["a","é"],"seed":5,"stream":true,)"
    R"("reasoning_effort":"low","google":{"thinking_config":{"include_thoughts":true},"safety_settings":[]},)"
    R"("response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object","properties":{"a":{"const":1}}}}},)"
    R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}}}],)"
    R"("tool_choice":{"type":"function","function":{"name":"f"}},"messages":[{"role":"system","content":"Be kind."},)"
    R"({"role":"user","content":[{"type":"text","text":"h\u00e9\ud83d\ude00"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}]},)"
    R"({"role":"assistant","content":"Hié","reasoning_content":"Hm","tool_calls":[{"id":"strata_0123456789abcdef_0","type":"function",)"
    R"("function":{"name":"f","arguments":"{\"a\":\"b\"}"},"extra_content":{"google":{"thought_signature":"RW9C"}}}],)"
    R"("extra_content":{"google":{"thought_signature":"Zm9v","parts":[{"thought":2},{"text":2},{"call":0},{"text":2,"thought_signature":"Zm9v"}]}},)"
    R"("reasoning_details":[{"type":"reasoning.encrypted","id":"c","data":"RW9C"}]},)"
    R"({"role":"tool","tool_call_id":"strata_0123456789abcdef_0","content":"{\"ok\":true}"}]})";

TEST(MutatedOpenAiRequest, IsConvertedToJsonOrRefused) {
  const catalogue::Catalogue catalogue;
  std::mt19937 random(1);
  size_t converted = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string bytes = test::mutated(kRequest, random);
    const Result<OpenAiRequest> request = convertOpenAiRequest(bytes, {}, catalogue);
    if (!request) continue;
    if (const auto& refusal = request.value().refusal) {
      ASSERT_EQ(request.value().target.severity(*refusal), catalogue::Severity::kError) << bytes;
      continue;
    }
    ++converted;
    const Json body(request.value().body);
    ASSERT_TRUE(body.ok()) << bytes << "\n" << body.text();
    ASSERT_GT(body.root().find("contents").size(), 0U) << bytes;
  }
  EXPECT_GT(converted, 300U);
}

// Returns what an answer sends on, read in pieces of this size.
template <typename Answer>
std::string sentBy(const std::string& bytes, size_t pieceSize) {
  Answer answer({"chatcmpl-1", 5, "gemini-3.8-flash", true});
  std::string sent;
  for (size_t at = 0; at < bytes.size(); at += pieceSize) {
    sent += answer.push(std::string_view(bytes).substr(at, pieceSize));
  }
  return sent + answer.end();
}

void expectJsonEvents(const std::string& sent) {
  constexpr std::string_view kData = "data: ";
  for (size_t at = 0; at < sent.size();) {
    const size_t end = sent.find("\n\n", at);
    ASSERT_NE(end, std::string::npos);
    ASSERT_EQ(sent.substr(at, kData.size()), kData);
    const std::string data = sent.substr(at + kData.size(), end - at - kData.size());
    ASSERT_TRUE(data == "[DONE]" || Json(data).ok()) << data;
    at = end + 2;
  }
}

std::string event(const std::string& parts, const std::string& fields) {
  return R"(data: {"candidates":[{"content":{"parts":[)" + parts + R"(],"role":"model"})" + fields +
         R"(}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":3}})" + "\r\n\r\n";
}

TEST(MutatedOpenAiAnswer, IsTheSameAtEveryPieceSizeAndJson) {
  const std::string first =
      event(R"({"text":"h\u00e9\ud83d"},{"text":"\ude00","thoughtSignature":"RW9C"})", "");
  const std::string second = event(
      R"({"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"RW9C"},{"inlineData":{"mimeType":"image/png","data":"AA=="}})",
      R"(,"finishReason":"STOP","logprobsResult":{"chosenCandidates":[{"token":"é","logProbability":-1}]})");
  const std::string whole = second.substr(6);
  std::mt19937 random(1);
  for (int i = 0; i < 1500 / STRATA_SHARE; ++i) {
    const std::string stream = test::mutated(first + second, random);
    const std::string sent = sentBy<OpenAiChunks>(stream, stream.size() + 1);
    expectJsonEvents(sent);
    for (const size_t pieceSize : {size_t{1}, size_t{2}, size_t{3 + random() % 40}}) {
      ASSERT_EQ(sentBy<OpenAiChunks>(stream, pieceSize), sent) << stream;
    }
    const std::string one = test::mutated(whole, random);
    const std::string completion = sentBy<OpenAiCompletion>(one, one.size() + 1);
    ASSERT_TRUE(completion.empty() || Json(completion).ok()) << one << "\n" << completion;
    ASSERT_EQ(sentBy<OpenAiCompletion>(one, 1), completion) << one;
  }
}

}  // namespace
}  // namespace strata::dialects
