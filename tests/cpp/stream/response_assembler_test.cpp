#include "stream/response_assembler.h"

#include <gtest/gtest.h>

#include "stream/answers.h"

namespace strata::stream {
namespace {

using test::asArray;
using test::chunk;
using test::failure;
using test::framed;
using test::kStop;
using test::readAtAllPieceSizes;
using test::ReadResult;

const std::string kHello = chunk(R"({"text":"Hel"})");
const std::string kLo = chunk(R"({"text":"lo"})", kStop);
const std::string kError =
    R"({"error":{"code":503,"status":"UNAVAILABLE","message":"later","details":[{"retryDelay":"1.5s"}]}})";

TEST(ResponseAssembler, IsTheSameInEveryFraming) {
  const std::string content = R"({"role":"model","parts":[{"text":"Hello"}]})";
  const ReadResult first = readAtAllPieceSizes(framed({kHello, kLo}, "\r\n"));
  EXPECT_EQ(first.content, content);
  EXPECT_EQ(first.outcome, Outcome::kComplete);
  EXPECT_TRUE(readAtAllPieceSizes(framed({kHello, kLo}, "\n")) == first);
  EXPECT_TRUE(readAtAllPieceSizes(framed({kHello, kLo}, "\r")) == first);
  EXPECT_TRUE(readAtAllPieceSizes(asArray({kHello, kLo})) == first);
  std::string unfinished = framed({kHello, kLo}, "\n");
  unfinished.resize(unfinished.size() - 2);
  EXPECT_TRUE(readAtAllPieceSizes(unfinished) == first);
}

TEST(ResponseAssembler, KeepsASingleContentByteForByte) {
  const std::string content =
      "{ \"parts\" : [ {\"text\":\"a\"} ,{\"text\":\"\\u0062\"}],\n\"x\":1.0,\"role\":\"model\"}";
  const std::string body =
      "{\n \"candidates\": [{\"content\": " + content + ", \"finishReason\": \"STOP\"}]\n}\n";
  EXPECT_EQ(readAtAllPieceSizes(body).content, content);
  const std::string alone = R"({"parts":[{"text":"a"}],"role":"model"})";
  const std::string event = R"({"candidates":[{"content":)" + alone + kStop + "}]}";
  EXPECT_EQ(readAtAllPieceSizes(framed({event}, "\n")).content, alone);
}

TEST(ResponseAssembler, EmitsTextThoughtsAndCallsInOrder) {
  const ReadResult read = readAtAllPieceSizes(framed(
      {chunk(R"({"text":"hm","thought":true})"),
       chunk(R"({"text":"so"},{"functionCall":{"name":"f","id":"1"},"thoughtSignature":"AA"})"),
       R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":3}})"},
      "\n"));
  EXPECT_EQ(read.events, R"({"type":"thought","text":"hm"},{"type":"text","text":"so"},)"
                         R"({"type":"functionCall","name":"f","id":"1","args":{}},)"
                         R"({"type":"metadata","metadata":{"finishReason":"STOP"}})");
  EXPECT_EQ(read.usage, R"({"type":"usage","usage":{"totalTokenCount":3}})");
}

TEST(ResponseAssembler, EmitsTheLastCountsOfAPushAndThoseOfEachResponse) {
  const auto counts = [](int count, const std::string& candidate) {
    return R"({"candidates":[)" + candidate + R"(],"usageMetadata":{"a":)" + std::to_string(count) +
           "}}";
  };
  const std::string continued = R"({"finishReason":"CONTINUATION"})";
  ResponseAssembler response;
  EXPECT_EQ(response.push(test::framed({counts(1, ""), counts(2, ""), counts(3, continued)}, "\n")),
            R"([{"type":"metadata","metadata":{"finishReason":"CONTINUATION"}},)"
            R"({"type":"usage","usage":{"a":3}}])");
  // Those of the next response are told even if they are equal, because they are added up.
  const std::string two = test::framed({counts(3, continued), counts(3, "")}, "\n");
  EXPECT_EQ(response.push(two),
            R"([{"type":"usage","usage":{"a":3}},{"type":"usage","usage":{"a":3}}])");
}

TEST(ResponseAssembler, LeavesOutUsageWithoutCounts) {
  for (const std::string usage : {"null", "{}", "[]"}) {
    const ReadResult read = readAtAllPieceSizes(framed(
        {R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":)" + usage + "}"}, "\n"));
    EXPECT_EQ(read.usage, "");
    EXPECT_EQ(
        read.summary,
        R"({"finishReason":"STOP","usage":{},"response":{"candidates":[{"finishReason":"STOP"}]}})");
  }
}

TEST(ResponseAssembler, EmitsAChangedFieldOnce) {
  const std::string usage = R"({"candidates":[],"usageMetadata":{"a":1},"responseId":"x"})";
  const ReadResult read = readAtAllPieceSizes(framed({usage, usage, kLo}, "\n"));
  EXPECT_EQ(
      read.events,
      R"({"type":"metadata","metadata":{"responseId":"x"}},)"
      R"({"type":"text","text":"lo"},{"type":"metadata","metadata":{"finishReason":"STOP"}})");
  EXPECT_EQ(read.usage, R"({"type":"usage","usage":{"a":1}})");
}

TEST(ResponseAssembler, EndsAnOpenCallWhereNoLastPieceComes) {
  const std::string start =
      chunk(R"({"functionCall":{"name":"add","willContinue":true},"thoughtSignature":"AA"})");
  const std::string piece =
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x","willContinue":true}],"willContinue":true}})";
  const std::string call =
      R"({"functionCall":{"name":"add","args":{"a":["x"]}},"thoughtSignature":"AA"})";
  const std::string event = R"({"type":"functionCall","name":"add","args":{"a":["x"]}})";
  const ReadResult stopped = readAtAllPieceSizes(framed({start, chunk(piece, kStop)}, "\n"));
  EXPECT_EQ(stopped.content, R"({"role":"model","parts":[)" + call + "]}");
  EXPECT_NE(stopped.events.find(event), std::string::npos) << stopped.events;
  // Another Part ends it, too.
  const ReadResult followed = readAtAllPieceSizes(
      framed({start, chunk(piece), chunk(R"({"text":"","x":1})", kStop)}, "\n"));
  EXPECT_EQ(followed.content, R"({"role":"model","parts":[)" + call + R"(,{"text":"","x":1}]})");
  EXPECT_NE(followed.events.find(event), std::string::npos) << followed.events;
  // Its arguments are not complete.
  const ReadResult cut =
      readAtAllPieceSizes(framed({start, chunk(piece, R"(,"finishReason":"MAX_TOKENS")")}, "\n"));
  EXPECT_EQ(cut.content, "");
}

TEST(ResponseAssembler, RefusesACallWhoseArgumentsWouldBeLost) {
  const ReadResult read = readAtAllPieceSizes(framed(
      {chunk(
          R"({"functionCall":{"name":"add","partialArgs":[{"jsonPath":"$.a[1001]","numberValue":1}]}})",
          kStop)},
      "\n"));
  EXPECT_EQ(read.outcome, Outcome::kInvalid);
  EXPECT_EQ(read.content, "");
  EXPECT_EQ(read.events.find("functionCall"), std::string::npos);
}

TEST(ResponseAssembler, TakesVeryManyFields) {
  // One comparison with each field before would be 20 billion.
  std::string fields;
  for (int i = 0; i < 200000; ++i) fields += ",\"f" + std::to_string(i) + "\":1";
  ResponseAssembler assembler;
  assembler.push(R"({"candidates":[{"content":{"parts":[{"text":"Hi"}]})" + std::string(kStop) +
                 fields + "}]}");
  assembler.end();
  EXPECT_EQ(assembler.outcome(), Outcome::kComplete);
  EXPECT_NE(assembler.summary().find(R"("f199999":1)"), std::string::npos);
}

TEST(ResponseAssembler, IsIncompleteWithoutAFinishReason) {
  for (const char* reason : {"null", "\"\""}) {
    const std::string unset = R"(,"finishReason":)" + std::string(reason);
    const std::string hello = chunk(R"({"text":"Hel"})", unset);
    EXPECT_EQ(readAtAllPieceSizes(framed({hello}, "\n")).outcome, Outcome::kTruncated);
    const ReadResult read = readAtAllPieceSizes(framed({hello, kLo, chunk("", unset)}, "\n"));
    EXPECT_EQ(read.outcome, Outcome::kComplete);
    EXPECT_EQ(read.summary.substr(0, 22), R"({"finishReason":"STOP")");
  }
}

TEST(ResponseAssembler, ReadsTheFirstCandidateOnly) {
  const auto candidate = [](const std::string& index, const std::string& text) {
    return R"({"content":{"role":"model","parts":[{"text":")" + text + R"("}]})" + kStop +
           R"(,"index":)" + index + "}";
  };
  const auto ofCandidates = [](const std::string& candidates) {
    return R"({"candidates":[)" + candidates + "]}";
  };
  const ReadResult read = readAtAllPieceSizes(
      framed({ofCandidates(candidate("0", "a")), ofCandidates(candidate("1", "B")),
              ofCandidates(candidate("1", "B") + "," + candidate("0", "c"))},
             "\n"));
  EXPECT_EQ(read.content, R"({"role":"model","parts":[{"text":"ac"}]})");
  const ReadResult second = readAtAllPieceSizes(framed({ofCandidates(candidate("1", "B"))}, "\n"));
  EXPECT_EQ(second.content, "");
  EXPECT_EQ(second.outcome, Outcome::kTruncated);
}

// The last chunk of a recorded search stream lacks candidatesTokenCount, which earlier chunks have.
TEST(ResponseAssembler, EmitsAFieldOfTheResponseAndOfTheCandidateOnce) {
  const ReadResult read = readAtAllPieceSizes(
      R"({"candidates":[{"a":2,"usageMetadata":{"b":1},"finishReason":"STOP"}],"a":1})");
  EXPECT_EQ(
      read.events,
      R"({"type":"metadata","metadata":{"a":2,"usageMetadata":{"b":1},"finishReason":"STOP"}})");
  EXPECT_EQ(read.outcome, Outcome::kComplete);
}

TEST(ResponseAssembler, KeepsEachCountThatAnEarlierChunkHad) {
  const std::string first =
      R"({"candidates":[],"usageMetadata":{"candidatesTokenCount":4,"totalTokenCount":9}})";
  const std::string last =
      R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":10}})";
  const ReadResult read = readAtAllPieceSizes(framed({first, last}, "\n"));
  const std::string all = R"({"candidatesTokenCount":4,"totalTokenCount":10,"promptTokenCount":5})";
  EXPECT_NE(read.summary.find("\"usage\":" + all), std::string::npos) << read.summary;
  EXPECT_EQ(read.usage, "{\"type\":\"usage\",\"usage\":" + all + "}");
}

// A blocked answer has a finishReason and no content.
TEST(ResponseAssembler, SummarizesWhatTheCandidateHas) {
  const std::string content = R"({"role":"model","parts":[{"text":"a"}]})";
  for (const auto& [candidates, summary] : std::vector<std::pair<std::string, std::string>>{
           {R"([{"finishReason":"SAFETY"}])", R"([{"finishReason":"SAFETY"}])"},
           {R"([{"content":)" + content + "}]", R"([{"content":)" + content + "}]"},
           {"[]", "[]"}}) {
    const ReadResult read =
        readAtAllPieceSizes(framed({R"({"candidates":)" + candidates + "}"}, "\n"));
    EXPECT_NE(read.summary.find(R"("response":{"candidates":)" + summary), std::string::npos)
        << read.summary;
  }
}

TEST(ResponseAssembler, CountsAContinuedAnswerAnew) {
  const std::string first =
      R"({"candidates":[{"finishReason":"CONTINUATION"}],"usageMetadata":{"a":1,"b":2}})";
  const std::string last = R"({"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"b":3}})";
  const ReadResult read = readAtAllPieceSizes(framed({first, last}, "\n"));
  EXPECT_NE(read.summary.find(R"("usage":{"b":3})"), std::string::npos) << read.summary;
}

TEST(ResponseAssembler, DetectsAMidStreamErrorInEveryForm) {
  for (const std::string& error :
       {kError, "data: " + kError, "error: " + kError,
        "error: " + kError.substr(9, kError.size() - 10), "[" + kError + "]",
        "[\n" + kError + "\n]", "data: [" + kError + "]"}) {
    for (const char* ending : {"\r\n\r\n", "\n", ""}) {
      const ReadResult read = readAtAllPieceSizes(framed({kHello}, "\r\n") + error + ending);
      EXPECT_EQ(read.outcome, Outcome::kApiError) << error;
      EXPECT_EQ(failure(read, "kind") + failure(read, "status") + failure(read, "code") +
                    failure(read, "message") + failure(read, "retryAfterMs"),
                "apiUNAVAILABLE503later1500");
      EXPECT_EQ(read.content, R"({"role":"model","parts":[{"text":"Hel"}]})");
    }
  }
}

TEST(ResponseAssembler, IgnoresEverythingAfterAnError) {
  const ReadResult read = readAtAllPieceSizes(framed({kHello, kError, kLo}, "\n"));
  EXPECT_EQ(read.outcome, Outcome::kApiError);
  EXPECT_EQ(read.events.find("\"lo\""), std::string::npos);
}

TEST(ResponseAssembler, DetectsAnErrorAsTheWholeBody) {
  EXPECT_EQ(readAtAllPieceSizes(kError).outcome, Outcome::kApiError);
  EXPECT_EQ(readAtAllPieceSizes("[" + kError + "]").outcome, Outcome::kApiError);
}

TEST(ResponseAssembler, ReportsTruncationAtEveryPosition) {
  for (const std::string& whole : {framed({kHello, kLo}, "\r\n"), asArray({kHello, kLo}), kLo}) {
    const size_t last = whole.rfind("}]}") + 2;
    for (size_t length = 0; length <= last; ++length) {
      const ReadResult read = test::readInPieces(whole.substr(0, length), 16);
      EXPECT_EQ(read.outcome, Outcome::kTruncated) << whole.substr(0, length);
      EXPECT_EQ(failure(read, "kind"), "answer.cut");
    }
  }
}

TEST(ResponseAssembler, ReportsWhyAPromptWasBlocked) {
  const ReadResult read =
      readAtAllPieceSizes(framed({R"({"promptFeedback":{"blockReason":"SAFETY"}})"}, "\n"));
  EXPECT_EQ(read.outcome, Outcome::kBlocked);
  EXPECT_EQ(failure(read, "blockReason"), "SAFETY");
  EXPECT_EQ(read.content, "");
}

TEST(ResponseAssembler, IgnoresPromptFeedbackWithoutABlockReason) {
  const std::string rated = R"({"promptFeedback":{"safetyRatings":[]}})";
  EXPECT_EQ(readAtAllPieceSizes(framed({rated}, "\n")).outcome, Outcome::kTruncated);
  EXPECT_EQ(readAtAllPieceSizes(framed({rated, kLo}, "\n")).outcome, Outcome::kComplete);
}

TEST(ResponseAssembler, ReportsNonJsonAsInvalid) {
  for (const char* body :
       {"<html>\n<body>Sign in</body>\n</html>\n", "<html></html>", "upstream connect error",
        "data: hello\n\n", "data: {\"a\":}\n\n", "error: out of order\n\n"}) {
    const ReadResult read = readAtAllPieceSizes(body);
    EXPECT_EQ(read.outcome, Outcome::kInvalid) << body;
    EXPECT_EQ(failure(read, "kind"), "answer.invalid");
    EXPECT_NE(failure(read, "detail"), "");
  }
  EXPECT_EQ(readAtAllPieceSizes(framed({kHello}, "\n") + "<html>\n").outcome, Outcome::kInvalid);
}

TEST(ResponseAssembler, ReportsAnEmptyAnswerAsTruncated) {
  for (const char* body : {"", "\n\n", "[]", "{}", "data: [DONE]\n\n", "null", "7"}) {
    EXPECT_EQ(readAtAllPieceSizes(body).outcome, Outcome::kTruncated) << body;
  }
}

TEST(ResponseAssembler, HasNoContentWithoutParts) {
  const ReadResult read = readAtAllPieceSizes(
      R"({"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]})");
  EXPECT_EQ(read.outcome, Outcome::kComplete);
  EXPECT_EQ(read.content, "");
  EXPECT_EQ(read.events, R"({"type":"metadata","metadata":{"finishReason":"MAX_TOKENS"}})");
}

TEST(ResponseAssembler, SummaryIsOneGenerateContentResponse) {
  const ReadResult read = readAtAllPieceSizes(framed(
      {kHello,
       R"({"candidates":[{"content":{"role":"model","parts":[{"text":"lo"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"totalTokenCount":9},"modelVersion":"m"})"},
      "\n"));
  EXPECT_EQ(
      read.summary,
      R"({"finishReason":"STOP","usage":{"totalTokenCount":9},"response":{"candidates":[{"content":)" +
          read.content +
          R"(,"finishReason":"STOP","index":0}],"usageMetadata":{"totalTokenCount":9},"modelVersion":"m"}})");
}

TEST(ResponseAssembler, EndsACopyAtEveryByteAndGoesOnItself) {
  const std::string call = R"({"functionCall":{"name":"f","willContinue":true}})";
  const std::string piece =
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true}})";
  for (const std::string& bytes :
       {framed({kHello, chunk(call), chunk(piece, kStop)}, "\n"), asArray({kHello, kLo}),
        framed({kHello, "5"}, "\n"), framed({kHello}, "\n") + kError, kHello + "{"}) {
    ResponseAssembler whole;
    for (const char& byte : bytes) {
      whole.push({&byte, 1});
      const std::string_view soFar(bytes.data(), static_cast<size_t>(&byte - bytes.data()) + 1);
      ResponseAssembler cut;
      cut.push(soFar);
      cut.end();
      const ResponseAssembler ended = whole.ended();
      ASSERT_EQ(ended.summary(), cut.summary()) << soFar;
      ASSERT_EQ(ended.content(), cut.content()) << soFar;
      ASSERT_EQ(ended.outcome(), cut.outcome()) << soFar;
    }
    whole.end();
    EXPECT_EQ(whole.ended().summary(), whole.summary());
    EXPECT_EQ(whole.summary(), test::readInPieces(bytes, bytes.size()).summary);
  }
}

TEST(ResponseAssembler, SummarizesWithoutTheContent) {
  ResponseAssembler assembler;
  assembler.push(kHello + kLo);
  assembler.end();
  EXPECT_EQ(
      assembler.summary(false),
      R"({"finishReason":"STOP","usage":{},"response":{"candidates":[{"finishReason":"STOP"}]}})");
}

TEST(ResponseAssembler, RejectsJsonThatNestsTooDeep) {
  const ReadResult read = readAtAllPieceSizes("data: " + std::string(10000, '[') + "\n\n");
  EXPECT_EQ(read.outcome, Outcome::kInvalid);
}

}  // namespace
}  // namespace strata::stream
