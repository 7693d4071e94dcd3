#include <gtest/gtest.h>

#include "stream/answers.h"
#include "support/shared_files.h"

namespace strata::stream {
namespace {

using test::Json;
using test::ReadResult;

std::string fixture(const std::string& name) {
  return test::readShared("fixtures/" + name).value_or("");
}

#define REQUIRE_FIXTURE(name)                 \
  const std::string recorded = fixture(name); \
  if (recorded.empty()) GTEST_SKIP() << "no recorded answers: " << test::missingFolder("fixtures")

// Appends the JSON text of each member `key`, at any depth.
void collect(json::Value value, std::string_view key, std::vector<std::string>& found) {
  for (const json::Member member : json::members(value)) {
    if (member.key.equals(key)) found.emplace_back(member.value.bytes());
    collect(member.value, key, found);
  }
  for (const json::Value element : json::elements(value)) collect(element, key, found);
}

std::vector<std::string> all(const std::vector<std::string>& texts, std::string_view key) {
  std::vector<std::string> found;
  for (const std::string& text : texts) {
    const Json json(text);
    collect(json.root(), key, found);
  }
  return found;
}

std::string textOf(const std::vector<std::string>& chunks, bool thoughts) {
  std::string words;
  for (const std::string& text : chunks) {
    const Json json(text);
    const json::Value content = json.root().find("candidates").at(0).find("content");
    const json::Value parts = content ? content.find("parts") : json.root().find("parts");
    for (const json::Value part : json::elements(parts)) {
      if (part.find("thought").isTrue() == thoughts) words += part.find("text").text();
    }
  }
  return words;
}

class Recorded : public testing::TestWithParam<const char*> {};

TEST_P(Recorded, IsTheSameInEveryFramingAndPieceSize) {
  REQUIRE_FIXTURE(GetParam());
  const std::vector<std::string> chunks = test::linesIn(recorded);
  const ReadResult read = test::readAtAllPieceSizes(test::framed(chunks, "\r\n"));
  EXPECT_EQ(read.outcome, Outcome::kComplete);
  EXPECT_TRUE(test::readAtAllPieceSizes(test::framed(chunks, "\n")) == read);
  EXPECT_TRUE(test::readAtAllPieceSizes(test::framed(chunks, "\r")) == read);
  EXPECT_TRUE(test::readAtAllPieceSizes(test::asArray(chunks)) == read);
}

TEST_P(Recorded, KeepsAllTextAndSignatures) {
  REQUIRE_FIXTURE(GetParam());
  const std::vector<std::string> chunks = test::linesIn(recorded);
  const ReadResult read = test::readInPieces(test::framed(chunks, "\r\n"), 7);
  EXPECT_EQ(all({read.content}, "thoughtSignature"), all(chunks, "thoughtSignature"));
  EXPECT_EQ(textOf({read.content}, false), textOf(chunks, false));
  EXPECT_EQ(textOf({read.content}, true), textOf(chunks, true));
  EXPECT_EQ(all({read.summary}, "finishReason").back(), all(chunks, "finishReason").back());
}

INSTANTIATE_TEST_SUITE_P(Streams, Recorded,
                         testing::Values("google-reasoning-gemini3.chunks.txt",
                                         "google-reasoning.chunks.txt",
                                         "google-stream-tool-call-arguments.chunks.txt",
                                         "google-text.chunks.txt",
                                         "google-tool-call-gemini3.chunks.txt"));

TEST(RecordedCall, KeepsTheBytesOfItsPart) {
  REQUIRE_FIXTURE("google-tool-call-gemini3.chunks.txt");
  const std::vector<std::string> chunks = test::linesIn(recorded);
  const Json first(chunks.front());
  const json::Value part =
      first.root().find("candidates").at(0).find("content").find("parts").at(0);
  ASSERT_TRUE(part.find("functionCall"));
  const ReadResult read = test::readAtAllPieceSizes(test::framed(chunks, "\r\n"));
  EXPECT_NE(read.content.find(part.bytes()), std::string::npos);
}

TEST(RecordedCall, AssemblesPartialArgsIntoCalls) {
  REQUIRE_FIXTURE("google-stream-tool-call-arguments.chunks.txt");
  const std::vector<std::string> chunks = test::linesIn(recorded);
  const ReadResult read = test::readAtAllPieceSizes(test::framed(chunks, "\r\n"));
  EXPECT_TRUE(all({read.content}, "partialArgs").empty());
  EXPECT_TRUE(all({read.content}, "willContinue").empty());
  EXPECT_EQ(all({read.content}, "name"), all(chunks, "name"));
  EXPECT_EQ(all({read.content}, "args").size(), all(chunks, "name").size());
  std::string joined;
  for (const std::string& piece : all(chunks, "stringValue")) {
    joined += piece.substr(1, piece.size() - 2);
  }
  std::string args;
  const Json content(read.content);
  for (const json::Value part : json::elements(content.root().find("parts"))) {
    for (const json::Member member : json::members(part.find("functionCall").find("args"))) {
      args += member.value.raw();
    }
  }
  EXPECT_EQ(args, joined);
}

TEST(RecordedUnary, IsKeptByteForByte) {
  for (const char* name : {"google-tool-call-gemini3.json", "google-tool-call.json"}) {
    REQUIRE_FIXTURE(name);
    const Json json(recorded);
    const json::Value content = json.root().find("candidates").at(0).find("content");
    const ReadResult read = test::readAtAllPieceSizes(recorded);
    EXPECT_EQ(read.outcome, Outcome::kComplete);
    EXPECT_EQ(read.content, content.bytes());
  }
}

TEST(RecordedError, ReportsTheRetryDelay) {
  REQUIRE_FIXTURE("google-429-retry-info.json");
  const ReadResult read = test::readAtAllPieceSizes(recorded);
  EXPECT_EQ(read.outcome, Outcome::kApiError);
  EXPECT_EQ(test::failure(read, "status"), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(test::failure(read, "retryAfterMs"), "34400");
}

}  // namespace
}  // namespace strata::stream
