#include "dialects/openai_answer.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>

#include "dialects/call_ids.h"
#include "dialects/openai_chunks.h"
#include "dialects/openai_request.h"
#include "support/contents.h"
#include "support/shared_files.h"

namespace strata::dialects {
namespace {

using test::joined;
using test::Json;
using Lines = std::vector<std::string>;

const std::string kHead = R"("id":"chatcmpl-1","object":")";
const std::string kModel = R"("created":5,"model":"gemini-3.8-flash")";

OpenAiAnswerOptions options(bool includeUsage = false) {
  return {"chatcmpl-1", 5, "gemini-3.8-flash", includeUsage};
}

std::string candidate(const std::vector<std::string>& parts, const std::string& fields) {
  return R"({"content":{"parts":[)" + joined(parts) + R"(],"role":"model"})" +
         (fields.empty() ? "" : ",") + fields + "}";
}

std::string response(const std::vector<std::string>& candidates, const std::string& fields = "") {
  return R"({"candidates":[)" + joined(candidates) + "]" + (fields.empty() ? "" : ",") + fields +
         "}";
}

std::string answer(const std::vector<std::string>& parts, const std::string& reason = "STOP") {
  return response({candidate(parts, R"("finishReason":")" + reason + '"')});
}

std::string completionOf(const std::string& bytes) {
  OpenAiCompletion completion(options());
  EXPECT_EQ(completion.push(bytes), "");
  const std::string whole = completion.end();
  EXPECT_EQ(whole.empty(), completion.failure() != AnswerFailure::kNone);
  return whole;
}

std::string choiceOf(const std::string& bytes) {
  const std::string whole = completionOf(bytes);
  const Json json(whole);
  return std::string(json.root().find("choices").at(0).bytes());
}

std::string choice(const std::string& message, const std::string& finish = R"("stop")") {
  return R"({"index":0,"message":{"role":"assistant",)" + message +
         R"(},"logprobs":null,"finish_reason":)" + finish + "}";
}

std::string framed(const std::vector<std::string>& responses) {
  std::string stream;
  for (const std::string& event : responses) stream += "data: " + event + "\r\n\r\n";
  return stream;
}

// Returns what a stream sends on, read in pieces of this size.
std::string chunksOf(const std::string& stream, size_t pieceSize, bool includeUsage = false) {
  OpenAiChunks chunks(options(includeUsage));
  std::string sent;
  for (size_t at = 0; at < stream.size(); at += pieceSize) {
    sent += chunks.push(std::string_view(stream).substr(at, pieceSize));
  }
  return sent + chunks.end();
}

// Returns the data of each event. Expects the same for a stream cut at every position.
Lines dataOf(const std::string& stream, bool includeUsage = false) {
  const std::string whole = chunksOf(stream, stream.size() + 1, includeUsage);
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    OpenAiChunks chunks(options(includeUsage));
    std::string sent = chunks.push(std::string_view(stream).substr(0, cut));
    sent += chunks.push(std::string_view(stream).substr(cut));
    EXPECT_EQ(sent + chunks.end(), whole) << "cut at " << cut;
  }
  Lines data;
  for (const std::string& line : test::linesIn(whole)) data.push_back(line.substr(6));
  return data;
}

std::string chunk(const std::string& delta, const std::string& finish = "null",
                  const std::string& index = "0") {
  return "{" + kHead + R"(chat.completion.chunk",)" + kModel + R"(,"choices":[{"index":)" + index +
         R"(,"delta":{)" + delta + R"(},"logprobs":null,"finish_reason":)" + finish + "}]}";
}

// Returns the finish of an answer that the model could not give.
std::string failed(const std::string& reason, const std::string& message = "") {
  const std::string text = message.empty() ? "The model failed: " + reason : message;
  return R"("error","native_finish_reason":")" + reason + R"(","error":{"code":502,"message":")" +
         text + "\"}";
}

const std::string kRole = chunk(R"("role":"assistant","content":"")");

const std::string kSigned = R"({"text":"","thoughtSignature":"RW9C"})";
const std::string kCall =
    R"({"functionCall":{"id":"c1","name":"f","args":{"city":"Z\u00fcrich: \"new\"","n":1.0}},"thoughtSignature":"RW9C"})";
const std::string kSibling = R"({"functionCall":{"id":"c2","name":"g","args":{}}})";

TEST(OpenAiAnswer, WritesACompletion) {
  EXPECT_EQ(
      completionOf(response(
          {candidate({test::text("Hel"), test::text("lo")}, R"("finishReason":"STOP","index":0)")},
          R"("usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":3,"thoughtsTokenCount":7,"totalTokenCount":20,"cachedContentTokenCount":4},"modelVersion":"x")")),
      "{" + kHead + R"(chat.completion",)" + kModel + R"(,"choices":[)" +
          choice(R"("content":"Hello","refusal":null)") +
          R"(],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":7}}})");
}

TEST(OpenAiAnswer, WritesCallsWithTheirSignatures) {
  EXPECT_EQ(
      choiceOf(answer({kCall, kSibling})),
      choice(
          R"("content":null,"refusal":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"city\":\"Z\\u00fcrich: \\\"new\\\"\",\"n\":1.0}"},"extra_content":{"google":{"thought_signature":"RW9C"}}},{"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}])",
          R"("tool_calls")"));
}

TEST(OpenAiAnswer, WritesArgumentsWithoutTheWhiteSpaceOfAnIndentedAnswer) {
  const Json choice(
      choiceOf(answer({"{\"functionCall\": {\"name\": \"f\", \"args\": {\r\n  \"a b\": [ 1.0, \" "
                       "{\\n\\\" \" ]\n}}}"})));
  const json::Value call = choice.root().find("message").find("tool_calls").at(0);
  EXPECT_EQ(call.find("function").find("arguments").text(), R"({"a b":[1.0," {\n\" "]})");
}

TEST(OpenAiAnswer, WritesSignedTextsAndThoughts) {
  const std::string sign = R"("thought_signature":"RW9C")";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{R"({"text":"Hi","thoughtSignature":"RW9C"})"},
       R"("content":"Hi","refusal":null,"extra_content":{"google":{)" + sign + "}}"},
      {{test::text("Hi"), kSigned},
       R"("content":"Hi","refusal":null,"extra_content":{"google":{)" + sign +
           R"(,"parts":[{"text":2},{"text":0,)" + sign + "}]}}"},
      {{kSigned}, R"("content":null,"refusal":null,"extra_content":{"google":{)" + sign + "}}"},
      {{R"({"text":"Hm","thought":true})", test::text("Hi")},
       R"("content":"Hi","refusal":null,"reasoning_content":"Hm")"},
  };
  for (const auto& [parts, message] : cases) {
    EXPECT_EQ(choiceOf(answer(parts)), choice(message)) << joined(parts);
  }
}

TEST(OpenAiAnswer, WritesImagesAsDataUrls) {
  EXPECT_EQ(
      choiceOf(answer({R"({"inlineData":{"mimeType":"image/png","data":"iVBORw=="}})"})),
      choice(
          R"("content":null,"refusal":null,"images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}}])"));
}

TEST(OpenAiAnswer, WritesTheFinishReason) {
  const std::string text = R"("content":"Hi","refusal":null)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"STOP", R"("stop")"},
      {"MAX_TOKENS", R"("length")"},
      {"SAFETY", R"("content_filter","native_finish_reason":"SAFETY")"},
      {"RECITATION", R"("content_filter","native_finish_reason":"RECITATION")"},
      {"MODEL_ARMOR", R"("content_filter","native_finish_reason":"MODEL_ARMOR")"},
      {"FINISH_REASON_UNSPECIFIED", R"("stop","native_finish_reason":"FINISH_REASON_UNSPECIFIED")"},
      {"OTHER", failed("OTHER")}};
  for (const auto& [reason, finish] : cases) {
    EXPECT_EQ(choiceOf(answer({test::text("Hi")}, reason)), choice(text, finish));
  }
  EXPECT_EQ(choiceOf(R"({"candidates":[{"finishReason":"SAFETY"}]})"),
            choice(R"("content":null,"refusal":"The answer was blocked: SAFETY")",
                   R"("content_filter","native_finish_reason":"SAFETY")"));
  EXPECT_EQ(choiceOf(R"({"promptFeedback":{"blockReason":"OTHER"}})"),
            choice(R"("content":null,"refusal":"The prompt was blocked: OTHER")",
                   R"("content_filter","native_finish_reason":"OTHER")"));
}

TEST(OpenAiAnswer, SaysThatTheModelFailed) {
  const std::string nothing = R"("content":null,"refusal":null)";
  const std::string signature = R"({"thoughtSignature":"RW9C"})";
  for (const char* reason :
       {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER",
        "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "NO_IMAGE", "FINISH_REASON_UNSPECIFIED",
        "A_REASON_OF_TOMORROW"}) {
    const std::string given = R"("finishReason":")" + std::string(reason) + '"';
    EXPECT_EQ(choiceOf("{\"candidates\":[{" + given + "}]}"), choice(nothing, failed(reason)));
    EXPECT_EQ(dataOf(framed({response({candidate({signature}, given)})})),
              (Lines{kRole, chunk(R"("extra_content":{"google":{"thought_signature":"RW9C"}})"),
                     chunk("", failed(reason)), "[DONE]"}));
  }
  // Google marked the call as malformed, so nobody must be told to run it.
  const Json withCall(choiceOf(answer({kCall}, "MALFORMED_FUNCTION_CALL")));
  EXPECT_EQ(withCall.root().find("finish_reason").text(), "error");
  EXPECT_EQ(choiceOf(R"({"candidates":[{"finishReason":"OTHER","finishMessage":"No idea"}]})"),
            choice(nothing, failed("OTHER", "No idea")));
  EXPECT_EQ(
      choiceOf(R"({"candidates":[{"index":0}]})"),
      choice(nothing,
             R"("error","error":{"code":502,"message":"The model failed: it said nothing"})"));
  // Thoughts and signatures are no answer.
  const Json blocked(choiceOf(answer({R"({"text":"Hm","thought":true})"}, "SAFETY")));
  EXPECT_EQ(blocked.root().find("message").find("refusal").text(),
            "The answer was blocked: SAFETY");
}

TEST(OpenAiAnswer, WritesSoundAsAudio) {
  const auto sound = [](const std::string& type, const std::string& data) {
    return R"({"inlineData":{"mimeType":")" + type + R"(","data":")" + data + R"("}})";
  };
  const std::string pcm = "audio/L16;codec=pcm;rate=24000";
  const std::string head =
      R"("audio":{"id":"audio_chatcmpl-1_0","expires_at":5,"transcript":"","extra_content":{"google":{"mime_type":"audio/L16;codec=pcm;rate=24000"}},"data":)";
  // "AQ==" and "AgME" are the bytes 1 and 2, 3, 4.
  EXPECT_EQ(choiceOf(answer({sound(pcm, "AQ=="), sound(pcm, "AgME")})),
            choice(R"("content":null,"refusal":null,)" + head + R"("AQIDBA=="})"));
  EXPECT_EQ(dataOf(framed(
                {response({candidate({sound(pcm, "AQ==")}, "")}), answer({sound(pcm, "AgME")})})),
            (Lines{kRole, chunk(head + R"(""})"), chunk(R"("audio":{"data":"AQID"})"),
                   chunk(R"("audio":{"data":"BA=="})"), chunk("", R"("stop")"), "[DONE]"}));
  for (const char* type : {"video/mp4", "application/pdf", "imagery/x", ""}) {
    EXPECT_EQ(choiceOf(answer({test::text("Hi"), sound(type, "AQID")})),
              choice(R"("content":"Hi","refusal":null)"));
  }
  const Json image(choiceOf(answer({sound("IMAGE/PNG", "AQID")})));
  EXPECT_EQ(image.root().find("message").find("images").size(), 1U);
}

TEST(OpenAiAnswer, GivesCallsTheNamesOfTheClient) {
  OpenAiAnswerOptions given = options();
  const std::vector<std::pair<std::string, std::string>> renamed = {{"my_f", "my f"}};
  given.names = FunctionNames(renamed);
  for (const std::string name : {"my_f", "f"}) {
    OpenAiCompletion completion(given);
    completion.push(answer({test::call(name)}));
    const Json whole(completion.end());
    const json::Value message = whole.root().find("choices").at(0).find("message");
    const std::string called =
        message.find("tool_calls").at(0).find("function").find("name").text();
    EXPECT_EQ(called, name == "f" ? "f" : "my f");
    OpenAiChunks chunks(given);
    const std::string sent = chunks.push(framed({answer({test::call(name)})})) + chunks.end();
    EXPECT_NE(sent.find("\"name\":\"" + called + "\""), std::string::npos) << sent;
  }
}

TEST(OpenAiAnswer, WritesEachCandidate) {
  const Json whole(
      completionOf(response({candidate({test::text("a")}, R"("finishReason":"STOP")"),
                             candidate({test::text("b")}, R"("finishReason":"STOP","index":1)")})));
  const json::Value choices = whole.root().find("choices");
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices.at(1).find("index").integer(-1), 1);
  EXPECT_EQ(choices.at(1).find("message").find("content").text(), "b");
  for (const std::string index : {"-1", "128", "99999999999"}) {
    const std::string fields = R"("finishReason":"STOP","index":)" + index;
    EXPECT_EQ(completionOf(response({candidate({test::text("a")}, fields)})), "");
  }
}

TEST(OpenAiAnswer, WritesLogProbabilities) {
  const Json whole(completionOf(response({candidate(
      {test::text("Hi")},
      R"("finishReason":"STOP","logprobsResult":{"topCandidates":[{"candidates":[{"token":"Hi","logProbability":-0.5},{"token":"ü","logProbability":-2}]}],"chosenCandidates":[{"token":"Hi","tokenId":5,"logProbability":-0.5}]})")})));
  EXPECT_EQ(
      whole.root().find("choices").at(0).find("logprobs").bytes(),
      R"({"content":[{"token":"Hi","logprob":-0.5,"bytes":[72,105],"top_logprobs":[{"token":"Hi","logprob":-0.5,"bytes":[72,105]},{"token":"ü","logprob":-2,"bytes":[195,188]}]}],"refusal":null})");
}

TEST(OpenAiAnswer, GivesEveryCallAPortableId) {
  const auto idsOf = [](const std::string& id, const std::vector<std::string>& parts) {
    OpenAiCompletion completion({id, 5, "m", false});
    completion.push(answer(parts));
    const Json whole(completion.end());
    Lines ids;
    const json::Value message = whole.root().find("choices").at(0).find("message");
    for (const json::Value call : json::elements(message.find("tool_calls"))) {
      ids.push_back(call.find("id").text());
      EXPECT_TRUE(isPortableCallId(ids.back())) << ids.back();
    }
    return ids;
  };
  const Lines first = idsOf("a", {test::call("f"), test::call("f")});
  EXPECT_EQ(first, idsOf("a", {test::call("f"), test::call("f")}));
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[0], idsOf("b", {test::call("f")})[0]);
  EXPECT_TRUE(isMadeCallId(first[0]));
  EXPECT_EQ(idsOf("a", {test::call("f", "Call_1-x")}), Lines{"Call_1-x"});
  for (const std::string& id : {std::string(41, 'x'), std::string("a.b"), std::string("ü")}) {
    EXPECT_FALSE(isMadeCallId(idsOf("a", {test::call("f", id)})[0]));
  }
  // Those of a model that only begin alike.
  for (const char* id : {"strata_1", "strata_0123456789abcdef", "strata_0123456789abcdef-1"})
    EXPECT_FALSE(isMadeCallId(idsOf("a", {test::call("f", id)})[0])) << id;
}

TEST(OpenAiAnswer, SaysHowAnAnswerFailed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", R"({"kind":"answer.cut"})"},
      {"{}", R"({"kind":"answer.cut"})"},
      {R"({"candidates":[{"content")", R"({"kind":"answer.cut"})"},
      {R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Slow down"}})",
       R"({"kind":"api","code":429,"status":"RESOURCE_EXHAUSTED","message":"Slow down"})"}};
  for (const auto& [bytes, failure] : cases) {
    OpenAiCompletion completion(options());
    completion.push(bytes);
    EXPECT_EQ(completion.end(), "") << bytes;
    EXPECT_EQ(completion.describeFailure(), failure) << bytes;
  }
  OpenAiCompletion garbage(options());
  garbage.push("data: <html>\n\n");
  garbage.end();
  EXPECT_EQ(garbage.failure(), AnswerFailure::kInvalid);
}

TEST(OpenAiChunks, StreamsTextCallsAndTheirSignatures) {
  const std::string usage =
      R"("usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3})";
  const std::string stream = framed(
      {response({candidate({R"({"text":"Hm","thought":true})", test::text("Hel")}, "")}),
       response({candidate({test::text("lo")}, "")}), response({candidate({kCall, kSibling}, "")}),
       response({candidate({kSigned}, R"("finishReason":"STOP")")}, usage)});
  const Lines expected = {
      kRole,
      chunk(R"("reasoning_content":"Hm")"),
      chunk(R"("content":"Hel")"),
      chunk(R"("content":"lo")"),
      chunk(
          R"("tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{\"city\":\"Z\\u00fcrich: \\\"new\\\"\",\"n\":1.0}"},"extra_content":{"google":{"thought_signature":"RW9C"}}}])"),
      chunk(
          R"("tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}])"),
      chunk(
          R"("extra_content":{"google":{"thought_signature":"RW9C","parts":[{"thought":2},{"text":5},{"call":0},{"call":1},{"text":0,"thought_signature":"RW9C"}]}})"),
      chunk("", R"("tool_calls")"),
      "[DONE]"};
  EXPECT_EQ(dataOf(stream), expected);
  const Lines withUsage = dataOf(stream, true);
  ASSERT_EQ(withUsage.size(), expected.size() + 1);
  EXPECT_EQ(withUsage[0], kRole.substr(0, kRole.size() - 1) + R"(,"usage":null})");
  EXPECT_EQ(
      withUsage[expected.size() - 1],
      "{" + kHead + R"(chat.completion.chunk",)" + kModel +
          R"(,"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}})");
}

TEST(OpenAiChunks, StreamsSeveralCandidates) {
  EXPECT_EQ(
      dataOf(framed(
          {response({candidate({test::text("a")}, R"("finishReason":"STOP")")}),
           response({candidate({test::text("b")}, R"("finishReason":"MAX_TOKENS","index":1)")})})),
      (Lines{kRole, chunk(R"("content":"a")"),
             chunk(R"("role":"assistant","content":"")", "null", "1"),
             chunk(R"("content":"b")", "null", "1"), chunk("", R"("stop")"),
             chunk("", R"("length")", "1"), "[DONE]"}));
}

TEST(OpenAiChunks, StreamsACallWhoseArgumentsArriveInPieces) {
  const std::string first =
      R"({"functionCall":{"name":"f","id":"c","willContinue":true},"thoughtSignature":"RW9C"})";
  const std::string piece =
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"b"}],"willContinue":true}})";
  const std::string last = R"({"functionCall":{}})";
  EXPECT_EQ(
      dataOf(framed({response({candidate({first}, "")}), response({candidate({piece}, "")}),
                     response({candidate({last}, R"("finishReason":"STOP")")})})),
      (Lines{
          kRole,
          chunk(
              R"("tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":\"b\"}"},"extra_content":{"google":{"thought_signature":"RW9C"}}}])"),
          chunk("", R"("tool_calls")"), "[DONE]"}));
}

TEST(OpenAiChunks, EndsAnOpenCallWhereNoLastPieceComes) {
  const std::string first = R"({"functionCall":{"name":"f","id":"c","willContinue":true}})";
  const std::string piece =
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"b","willContinue":true}],"willContinue":true}})";
  const auto called = [](const std::string& index, const std::string& id, const std::string& args) {
    return chunk(R"("tool_calls":[{"index":)" + index + R"(,"id":")" + id +
                 R"(","type":"function","function":{"name":"f","arguments":")" + args + R"("}}])");
  };
  const std::string call = called("0", "c", R"({\"a\":\"b\"})");
  const Lines expected = {kRole, call, chunk("", R"("tool_calls")"), "[DONE]"};
  const std::string start = response({candidate({first}, "")});
  EXPECT_EQ(dataOf(framed({start, answer({piece})})), expected);
  // A Part that does not continue the call ends it, too.
  EXPECT_EQ(dataOf(framed({start, response({candidate({piece}, "")}), answer({test::text("")})})),
            expected);
  const std::string second = R"({"functionCall":{"name":"f","id":"d","args":{}}})";
  EXPECT_EQ(dataOf(framed({start, response({candidate({piece}, "")}), answer({second})})),
            (Lines{kRole, call, called("1", "d", "{}"), chunk("", R"("tool_calls")"), "[DONE]"}));
  EXPECT_EQ(dataOf(framed({start, answer({piece}, "MAX_TOKENS")})),
            (Lines{kRole, chunk("", R"("length")"), "[DONE]"}));
}

TEST(OpenAiChunks, EndsAFailedStreamWithAnError) {
  const auto error = [](const std::string& message, const std::string& type,
                        const std::string& code) {
    return R"({"error":{"message":")" + message + R"(","type":")" + type +
           R"(","param":null,"code":")" + code + R"("}})";
  };
  const std::string started = framed({response({candidate({test::text("Hi")}, "")})});
  const Lines text = {kRole, chunk(R"("content":"Hi")")};
  const std::vector<std::pair<std::string, std::string>> cases = {
      {started, error("The answer was cut off before its end.", "server_error", "answer.cut")},
      {started + R"(data: {"error":{"code":503,"status":"UNAVAILABLE","message":"Overloaded"}})" +
           "\n\n",
       error("Overloaded", "server_error", "UNAVAILABLE")},
      {started + R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Slow"}})",
       error("Slow", "rate_limit_error", "RESOURCE_EXHAUSTED")},
      {started + "data: <html>\n\n", error("The upstream's answer is not valid: expected a value",
                                           "server_error", "answer.invalid")},
      {started +
           framed({answer(
               {R"({"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a[1001]","numberValue":1}]}})"})}),
       error("The upstream's answer is not valid: expected partialArgs that fit together in the "
             "call f",
             "server_error", "answer.invalid")}};
  for (const auto& [stream, event] : cases) {
    EXPECT_EQ(dataOf(stream), (Lines{text[0], text[1], event})) << stream;
  }
  EXPECT_EQ(dataOf(framed({R"({"promptFeedback":{"blockReason":"SAFETY"}})"})),
            (Lines{kRole, chunk(R"("refusal":"The prompt was blocked: SAFETY")"),
                   chunk("", R"("content_filter","native_finish_reason":"SAFETY")"), "[DONE]"}));
}

// Joins the deltas of a stream into a message, as the clients of OpenAI do.
std::string messageOfStream(const Lines& data) {
  std::map<std::string, std::string> fields;
  std::string calls;
  for (const std::string& line : data) {
    const Json event(line);
    const json::Value delta = event.root().find("choices").at(0).find("delta");
    for (const json::Member member : json::members(delta)) {
      const std::string name = member.key.text();
      if (name == "content" || name == "reasoning_content") {
        fields[name] += member.value.raw();
      } else if (name == "extra_content") {
        EXPECT_EQ(fields.count(name), 0U) << "clients join or replace a second one";
        fields[name] = member.value.bytes();
      } else if (name == "tool_calls") {
        calls += (calls.empty() ? "" : ",") + std::string(member.value.at(0).bytes());
      }
    }
  }
  std::string message = R"({"role":"assistant","content":")" + fields["content"] + '"';
  if (!fields["reasoning_content"].empty()) {
    message += R"(,"reasoning_content":")" + fields["reasoning_content"] + '"';
  }
  if (!calls.empty()) message += R"(,"tool_calls":[)" + calls + "]";
  if (!fields["extra_content"].empty()) {
    message += R"(,"extra_content":)" + fields["extra_content"];
  }
  return message + "}";
}

// Returns the model's Content of a request whose history holds `message`, and results of its calls.
std::string contentOf(const std::string& message) {
  const Json read(message);
  std::string results;
  for (const json::Value call : json::elements(read.root().find("tool_calls"))) {
    results += R"(,{"role":"tool","tool_call_id":)" + std::string(call.find("id").bytes()) +
               R"(,"content":"{\"ok\":true}"})";
  }
  const std::string body =
      R"({"model":"gemini-3.8-flash","messages":[{"role":"user","content":"Hi"},)" + message +
      results + R"(,{"role":"user","content":"Go on"}]})";
  const catalogue::Catalogue catalogue;
  const Result<OpenAiRequest> request = convertOpenAiRequest(body, {}, catalogue);
  EXPECT_TRUE(request && !request.value().refusal) << body;
  const Json converted(request.value().body);
  return std::string(converted.root().find("contents").at(1).bytes());
}

void expectRoundTrip(const std::vector<std::string>& parts) {
  const std::string expected = test::content("model", parts);
  const std::string whole = completionOf(answer(parts));
  const Json completion(whole);
  const json::Value message = completion.root().find("choices").at(0).find("message");
  EXPECT_EQ(contentOf(std::string(message.bytes())), expected);
  EXPECT_EQ(contentOf(messageOfStream(dataOf(framed({answer(parts)})))), expected);
}

TEST(OpenAiRoundTrip, BringsBackTheSameContent) {
  const std::string thought = R"({"text":"Hm","thought":true})";
  const std::string signedText = R"({"text":"Zürich","thoughtSignature":"Zm9v"})";
  const std::string withoutId =
      R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"RW9C"})";
  const std::string longId = R"({"functionCall":{"id":"a.b/)" + std::string(50, 'x') +
                             R"(","name":"f","args":{}},"thoughtSignature":"RW9C"})";
  expectRoundTrip({test::text("Hi")});
  expectRoundTrip({signedText});
  expectRoundTrip({test::text("Hi"), kSigned});
  expectRoundTrip({kSigned});
  expectRoundTrip({kCall});
  expectRoundTrip({kCall, kSibling});
  expectRoundTrip({test::text("Let me see."), kCall, kSibling});
  expectRoundTrip({signedText, kCall});
  expectRoundTrip({kSigned, kCall});
  expectRoundTrip({kCall, test::text("Done"), kSigned});
  expectRoundTrip({kCall, signedText, kSibling, kSigned});
  expectRoundTrip({signedText, kSigned, signedText});
  expectRoundTrip({thought, test::text("Hi"), kSigned});
  expectRoundTrip({thought, kCall, thought, kSibling});
  expectRoundTrip({R"({"text":"Hm","thought":true,"thoughtSignature":"RW9C"})", kSibling});
  expectRoundTrip({withoutId});
  expectRoundTrip({withoutId, withoutId, kCall});
  expectRoundTrip({longId});
}

TEST(OpenAiRoundTrip, BringsBackASignatureWithoutDataAsThatOfAnEmptyText) {
  const Json completion(completionOf(answer({test::text("Hi"), R"({"thoughtSignature":"RW9C"})"})));
  const json::Value message = completion.root().find("choices").at(0).find("message");
  EXPECT_EQ(contentOf(std::string(message.bytes())),
            test::content("model", {test::text("Hi"), kSigned}));
}

TEST(OpenAiRoundTrip, BringsBackASignedThoughtWithoutData) {
  const Json completion(
      completionOf(answer({test::text("Hi"), R"({"thought":true,"thoughtSignature":"RW9C"})"})));
  const json::Value message = completion.root().find("choices").at(0).find("message");
  EXPECT_EQ(contentOf(std::string(message.bytes())),
            test::content("model", {test::text("Hi"),
                                    R"({"text":"","thought":true,"thoughtSignature":"RW9C"})"}));
}

// An image comes back without its `thought`, as if it were the answer's own.
TEST(OpenAiRoundTrip, LeavesOutImagesOfThoughts) {
  const std::string image = R"({"inlineData":{"mimeType":"image/png","data":"iVBORw=="}})";
  const std::string thought =
      R"({"inlineData":{"mimeType":"image/png","data":"AA=="},"thought":true})";
  const std::string given = answer({thought, test::text("Look:"), image});
  const std::string expected = test::content("model", {test::text("Look:"), image});
  EXPECT_EQ(choiceOf(given), choiceOf(answer({test::text("Look:"), image})));
  for (const std::string& data : dataOf(framed({given}))) {
    EXPECT_EQ(data.find("AA=="), std::string::npos) << data;
  }
  const Json completion(completionOf(given));
  const json::Value message = completion.root().find("choices").at(0).find("message");
  EXPECT_EQ(contentOf(std::string(message.bytes())), expected);
}

TEST(OpenAiRoundTrip, BringsBackImages) {
  const std::string image = R"({"inlineData":{"mimeType":"image/png","data":"iVBORw=="}})";
  const std::string signedImage =
      R"({"inlineData":{"mimeType":"image/png","data":"iVBORw=="},"thoughtSignature":"RW9C"})";
  for (const std::vector<std::string>& parts :
       std::vector<std::vector<std::string>>{{test::text("Look:"), image},
                                             {signedImage},
                                             {image, test::text("a"), signedImage, kSigned}}) {
    const Json completion(completionOf(answer(parts)));
    const json::Value message = completion.root().find("choices").at(0).find("message");
    EXPECT_EQ(contentOf(std::string(message.bytes())), test::content("model", parts));
  }
}

TEST(OpenAiRoundTrip, IgnoresADescriptionThatNoLongerFits) {
  const std::string parts = R"("parts":[{"text":2},{"text":0,"thought_signature":"RW9C"}])";
  const auto message = [&](const std::string& content) {
    return R"({"role":"assistant","content":)" + content +
           R"(,"extra_content":{"google":{"thought_signature":"RW9C",)" + parts + "}}}";
  };
  const std::string fallback = R"(,"thoughtSignature":"RW9C"})";
  EXPECT_EQ(contentOf(message(R"("Hello")")),
            test::content("model", {R"({"text":"Hello")" + fallback}));
  EXPECT_EQ(contentOf(message(R"([{"type":"text","text":"H"},{"type":"text","text":"i"}])")),
            test::content("model", {test::text("Hi"), kSigned}));
  // Two bytes would end inside a character.
  const std::string cut =
      R"({"role":"assistant","content":"aü","extra_content":{"google":{"parts":[{"text":2},{"text":1}]}}})";
  EXPECT_EQ(contentOf(cut), test::content("model", {test::text("aü")}));
}

class OpenAiRecorded : public testing::TestWithParam<const char*> {};

TEST_P(OpenAiRecorded, IsTheSameInEveryPieceSizeAndComesBack) {
  const std::string recorded = test::readShared(std::string("fixtures/") + GetParam()).value_or("");
  if (recorded.empty()) GTEST_SKIP() << "no recorded answers: " << test::missingFolder("fixtures");
  const std::string stream = framed(test::linesIn(recorded));
  const std::string whole = chunksOf(stream, stream.size());
  for (const size_t size : {1U, 2U, 3U, 7U, 64U, 4096U}) EXPECT_EQ(chunksOf(stream, size), whole);
  EXPECT_EQ(whole.substr(whole.size() - 14), "data: [DONE]\n\n");
  Lines data;
  for (const std::string& line : test::linesIn(whole)) data.push_back(line.substr(6));
  const Json content(contentOf(messageOfStream(data)));
  size_t from = 0;
  for (const json::Value part : json::elements(content.root().find("parts"))) {
    const json::Value signature = part.find("thoughtSignature");
    if (!signature) continue;
    const size_t at = recorded.find(signature.bytes(), from);
    ASSERT_NE(at, std::string::npos) << "a signature that the model did not give here";
    from = at + 1;
  }
  EXPECT_EQ(recorded.find("\"thoughtSignature\"", from), std::string::npos)
      << "a signature that was lost";
}

INSTANTIATE_TEST_SUITE_P(Streams, OpenAiRecorded,
                         testing::Values("google-reasoning-gemini3.chunks.txt",
                                         "google-reasoning.chunks.txt", "google-text.chunks.txt",
                                         "google-stream-tool-call-arguments.chunks.txt",
                                         "google-tool-call-gemini3.chunks.txt"));

}  // namespace
}  // namespace strata::dialects
