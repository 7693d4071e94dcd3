#include <gtest/gtest.h>

#include "stream/answers.h"
#include "support/mutate.h"

namespace strata::stream {
namespace {

using test::chunk;
using test::kStop;

std::vector<std::string> answers() {
  const std::vector<std::string> chunks = {
      chunk(R"({"text":"h\u00e9\ud83d"})"), chunk(R"({"text":"\ude00","thoughtSignature":"AA=="})"),
      chunk(R"({"functionCall":{"name":"f","willContinue":true}})"),
      chunk(R"({"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x"}]}})",
            kStop)};
  const std::string error = R"({"error":{"code":500,"message":"m"}})";
  return {test::framed(chunks, "\r\n"),
          test::framed(chunks, "\n") + error + "\n",
          test::framed(chunks, "\r") + "[\r" + error + "]\r\r" + test::framed(chunks, "\r"),
          test::asArray(chunks),
          chunks.back(),
          "error: " + error + "\n\n"};
}

// For any bytes, the result does not depend on the piece size, and all output is valid JSON.
TEST(MutatedAnswers, DecodeTheSameAtEveryPieceSize) {
  std::mt19937 random(1);
  for (const std::string& answer : answers()) {
    for (int i = 0; i < 700 / STRATA_SHARE; ++i) {
      const std::string bytes = test::mutated(answer, random);
      const test::ReadResult read = test::readInPieces(bytes, bytes.size() + 1);
      for (const size_t pieceSize : {size_t{1}, size_t{2}, size_t{3 + random() % 40}}) {
        const test::ReadResult other = test::readInPieces(bytes, pieceSize);
        ASSERT_EQ(other.events, read.events) << bytes;
        ASSERT_EQ(other.usage, read.usage) << bytes;
        ASSERT_EQ(other.content, read.content) << bytes;
        ASSERT_EQ(other.summary, read.summary) << bytes;
      }
      ASSERT_TRUE(test::Json("[" + read.events + "]").ok()) << read.events;
      ASSERT_TRUE(test::Json(read.summary).ok()) << read.summary;
      ASSERT_TRUE(read.content.empty() || test::Json(read.content).ok()) << read.content;
    }
  }
}

}  // namespace
}  // namespace strata::stream
