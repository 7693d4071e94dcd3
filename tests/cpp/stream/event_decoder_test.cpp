#include "stream/event_decoder.h"

#include <gtest/gtest.h>

#include "stream/answers.h"

namespace strata::stream {
namespace {

using Texts = std::vector<std::string>;

class Collector : public JsonSink {
 public:
  void onJson(std::string_view json) override { texts.emplace_back(json); }

  Texts texts;
};

// Overwrites the bytes of each push after it, so that a dangling view would fail the test.
Texts decodedInPieces(const std::string& bytes, size_t pieceSize) {
  EventDecoder decoder;
  Collector all;
  for (size_t at = 0; at < bytes.size(); at += pieceSize) {
    std::string piece = bytes.substr(at, pieceSize);
    decoder.push(piece, all);
    piece.assign(piece.size(), 'x');
  }
  decoder.end(all);
  return all.texts;
}

Texts decoded(const std::string& bytes) {
  const Texts whole = decodedInPieces(bytes, bytes.size() + 1);
  for (const size_t pieceSize : test::kPieceSizes)
    EXPECT_EQ(decodedInPieces(bytes, pieceSize), whole) << pieceSize;
  return whole;
}

const Texts kTwo = {R"({"a":"}]\"{"})", R"({"b":[{"c":1}]})"};

TEST(EventDecoder, AcceptsEveryLineEnding) {
  for (const char* lineEnd : {"\n", "\r\n", "\r"}) {
    EXPECT_EQ(decoded(test::framed(kTwo, lineEnd)), kTwo) << lineEnd;
  }
}

TEST(EventDecoder, AcceptsArraysAndSingleObjects) {
  EXPECT_EQ(decoded(test::asArray(kTwo)), kTwo);
  EXPECT_EQ(decoded(" \n[\n" + kTwo[0] + "\n,\n" + kTwo[1] + "]"), kTwo);
  EXPECT_EQ(decoded(kTwo[0]), Texts{kTwo[0]});
  EXPECT_EQ(decoded("\r\n  " + kTwo[0] + "\n"), Texts{kTwo[0]});
  // Without an event before, line ends and commas only separate.
  EXPECT_EQ(decoded(kTwo[0] + "\n,\n" + kTwo[1] + "\n"), kTwo);
}

TEST(EventDecoder, SkipsAByteOrderMarkAtTheStart) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(decoded(mark + test::framed(kTwo, "\r\n")), kTwo);
  EXPECT_EQ(decoded(mark + test::asArray(kTwo)), kTwo);
  EXPECT_EQ(decoded(mark + "\n\n" + kTwo[0]), Texts{kTwo[0]});
  // Nowhere else, and no half of one.
  EXPECT_EQ(decoded("data: 1\n\n" + mark + "data: 2\n\n"), (Texts{"1", mark + "data: 2"}));
  EXPECT_EQ(decoded("\xEF\xBB"
                    "data: 1\n"),
            Texts{"\xEF\xBB"
                  "data: 1"});
  EXPECT_EQ(decoded("\n" + mark + "data: 1\n"), Texts{mark + "data: 1"});
}

TEST(EventDecoder, ReadsTheResponseThatContinuesAnAnswer) {
  EventDecoder decoder;
  Collector all;
  for (const char* response : {"data: 1",
                               "\xEF\xBB\xBF"
                               "data: 2\r",
                               "[{\"a\":3}", "{\"a\":4}\n"}) {
    decoder.push(response, all);
    decoder.end(all);
  }
  EXPECT_EQ(all.texts, (Texts{"1", "2", "{\"a\":3}", "{\"a\":4}"}));
}

TEST(EventDecoder, JoinsTheDataLinesOfOneEvent) {
  EXPECT_EQ(decoded("data: {\"a\":\ndata:1,\ndata:  \"b\":2}\n\n"),
            Texts{"{\"a\":\n1,\n \"b\":2}"});
}

TEST(EventDecoder, DoesNotRequireAFinalNewline) {
  EXPECT_EQ(decoded("data: {\"a\":1}\n\ndata:{\"b\":2}"), (Texts{"{\"a\":1}", "{\"b\":2}"}));
  EXPECT_EQ(decoded("data: {\"a\":1}\n"), Texts{"{\"a\":1}"});
}

TEST(EventDecoder, SkipsCommentsOtherFieldsAndDone) {
  EXPECT_EQ(decoded(": hi\nevent: message\nid: 1\nretry: 5\ndata: {\"a\":1}\n\n\n\n"
                    "data: [DONE]\n\ndata:[DONE]\n\n"),
            Texts{"{\"a\":1}"});
}

TEST(EventDecoder, AcceptsBareJsonBetweenEvents) {
  const std::string error = "{\n  \"error\": {\n \"code\": 500\n}\n}";
  for (const char* lineEnd : {"\n", "\r\n", "\r"}) {
    const std::string first = test::framed({kTwo[0]}, lineEnd);
    const std::string second = test::framed({kTwo[1]}, lineEnd);
    const Texts all = {kTwo[0], error, kTwo[1]};
    EXPECT_EQ(decoded(first + error + lineEnd + lineEnd + second), all);
    EXPECT_EQ(decoded(first + "[" + error + "\n]" + lineEnd + second), all);
    EXPECT_EQ(decoded(first + "[\n" + error + "\n]"), (Texts{kTwo[0], error}));
    // Without the blank line after the event.
    EXPECT_EQ(decoded("data: " + kTwo[0] + lineEnd + error + lineEnd + second), all);
  }
}

TEST(EventDecoder, WrapsAnErrorLine) {
  EXPECT_EQ(decoded("data: {\"a\":1}\n\nerror: {\"code\":500}\n\n"),
            (Texts{"{\"a\":1}", "{\"error\":{\"code\":500}}"}));
}

TEST(EventDecoder, PassesUnknownLinesToTheSink) {
  EXPECT_EQ(decoded("<html>\n<body>x</body>"), (Texts{"<html>", "<body>x</body>"}));
}

TEST(EventDecoder, EmitsNothingForEmptyInput) {
  EXPECT_TRUE(decoded("").empty());
  EXPECT_TRUE(decoded("\r\n \n").empty());
  EXPECT_TRUE(decoded("[]").empty());
  EXPECT_TRUE(decoded("dat").empty());
  EXPECT_TRUE(decoded("data:").empty());
}

TEST(EventDecoder, DetectsATruncatedJsonText) {
  EventDecoder decoder;
  Collector all;
  decoder.push("[{\"a\":1},{\"b\":\"}", all);
  decoder.end(all);
  EXPECT_TRUE(decoder.isInsideJson());
}

}  // namespace
}  // namespace strata::stream
