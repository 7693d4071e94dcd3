#include "stream/content_builder.h"

#include <gtest/gtest.h>

#include "stream/answers.h"

namespace strata::stream {
namespace {

using test::chunk;
using test::framed;
using test::kStop;

// Returns the parts of the Content that is built from one chunk for each of `parts`.
std::string partsOf(const std::vector<std::string>& parts) {
  std::vector<std::string> chunks;
  for (const std::string& each : parts) chunks.push_back(chunk(each));
  chunks.push_back(R"({"candidates":[{"finishReason":"STOP"}]})");
  const std::string content = test::readAtAllPieceSizes(framed(chunks, "\n")).content;
  const std::string head = R"({"role":"model","parts":[)";
  EXPECT_EQ(content.substr(0, head.size()), head);
  return content.substr(head.size(), content.size() - head.size() - 2);
}

TEST(Joining, JoinsOnlyAdjacentUnsignedTextsOfOneKind) {
  EXPECT_EQ(partsOf({R"({"text":"a"})", R"({"text":"b"})"}), R"({"text":"ab"})");
  EXPECT_EQ(partsOf({R"({"text":"a","thought":true})", R"({"thought":true,"text":"b"})",
                     R"({"text":"c"})"}),
            R"({"text":"ab","thought":true},{"text":"c"})");
  EXPECT_EQ(partsOf({R"({"text":"a","thought":false})", R"({"text":"b"})"}), R"({"text":"ab"})");
}

TEST(Joining, KeepsASignedTextSeparateEvenIfEmpty) {
  const std::string signedEmpty = R"({"text":"","thoughtSignature":"AA=="})";
  EXPECT_EQ(partsOf({R"({"text":"a"})", signedEmpty, R"({"text":"b"})"}),
            R"({"text":"a"},)" + signedEmpty + R"(,{"text":"b"})");
  EXPECT_EQ(partsOf({signedEmpty, signedEmpty}), signedEmpty + "," + signedEmpty);
}

TEST(Joining, DoesNotJoinTextsAcrossOtherParts) {
  const std::string call = R"({ "functionCall" : {"name":"f","args":{"x":1.0}}, "y":2 })";
  EXPECT_EQ(partsOf({R"({"text":"a"})", call, R"({"text":"b"})"}),
            R"({"text":"a"},)" + call + R"(,{"text":"b"})");
  const std::string odd = R"({"text":"a","partMetadata":{}})";
  EXPECT_EQ(partsOf({odd, R"({"text":"b"})"}), odd + R"(,{"text":"b"})");
}

TEST(Joining, KeepsEscapesAndJoinsSurrogatePairs) {
  EXPECT_EQ(partsOf({R"({"text":"\u0041\ud83d"})", R"({"text":"\ude00\n"})"}),
            R"({"text":"\u0041\ud83d\ude00\n"})");
}

TEST(Joining, KeepsTheBytesOfASingleText) {
  const std::string spaced = "{ \"text\" : \"a\" }";
  EXPECT_EQ(partsOf({spaced, R"({"functionCall":{"name":"f"}})"}),
            spaced + R"(,{"functionCall":{"name":"f"}})");
}

TEST(Role, IsTheModelsIfTheAnswerHasNone) {
  const auto contentOf = [](const std::string& content) {
    return test::readAtAllPieceSizes(
               framed({R"({"candidates":[{"content":)" + content + kStop + "}]}"}, "\n"))
        .content;
  };
  const std::string parts = R"("parts":[ {"text":"a"} ,{ "text":"\u0062"}])";
  EXPECT_EQ(contentOf("{" + parts + "}"), R"({"role":"model",)" + parts + "}");
  for (const char* role : {"null", "\"\""}) {
    EXPECT_EQ(contentOf(R"({"role":)" + std::string(role) + R"(,"parts":[{"text":"a"}]})"),
              R"({"role":"model","parts":[{"text":"a"}]})");
  }
}

TEST(Parts, PutsParallelCallsOfTwoChunksIntoOneContent) {
  const std::string first = R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"AA"})";
  const std::string second = R"({"functionCall":{"name":"g","args":{}}})";
  EXPECT_EQ(partsOf({first, second}), first + "," + second);
}

TEST(Parts, KeepsOtherFieldsOfTheContent) {
  const std::string bytes =
      framed({R"({"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model","new":1.0}}]})",
              chunk(R"({"text":"b"})", kStop)},
             "\n");
  EXPECT_EQ(test::readAtAllPieceSizes(bytes).content,
            R"({"role":"model","new":1.0,"parts":[{"text":"ab"}]})");
}

TEST(Parts, DefaultsTheRoleToModel) {
  const std::string piece =
      R"({"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]})";
  EXPECT_EQ(test::readAtAllPieceSizes(framed({piece, piece}, "\n")).content,
            R"({"role":"model","parts":[{"text":"aa"}]})");
}

std::string callPiece(const std::string& fields, const std::string& rest = "") {
  return R"({"functionCall":{)" + fields + "}" + rest + "}";
}

TEST(PartialCalls, AssembleOneCallWithArgsAndSignature) {
  EXPECT_EQ(
      partsOf(
          {callPiece(R"("name":"f","id":"1","willContinue":true)", R"(,"thoughtSignature":"AA")"),
           callPiece(
               R"("partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true)"),
           callPiece(
               R"("partialArgs":[{"jsonPath":"$.a","stringValue":"\ny"},{"jsonPath":"$.b[1]","numberValue":1.50}],"willContinue":true)"),
           callPiece("")}),
      R"({"functionCall":{"name":"f","id":"1","args":{"a":"x\ny","b":[null,1.50]}},"thoughtSignature":"AA"})");
}

TEST(PartialCalls, StaySeparateWhenConsecutive) {
  const std::string whole = R"({ "functionCall":{"args":{"z":1.0},"name":"h"}})";
  EXPECT_EQ(
      partsOf({callPiece(R"("name":"f","willContinue":true)"),
               callPiece(R"("name":"g","partialArgs":[{"jsonPath":"$.a","boolValue":true}])"),
               callPiece(R"("name":"i","willContinue":true)"), whole}),
      R"({"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{"a":true}}},)"
      R"({"functionCall":{"name":"i","args":{}}},)" +
          whole);
}

TEST(PartialCalls, AreEmittedOnceAndComplete) {
  const std::string bytes = framed(
      {chunk(callPiece(R"("name":"f","willContinue":true)")),
       chunk(callPiece(
           R"("partialArgs":[{"jsonPath":"$.a","nullValue":"NULL_VALUE"}],"willContinue":true)")),
       chunk(callPiece(""), kStop)},
      "\n");
  const test::ReadResult read = test::readAtAllPieceSizes(bytes);
  EXPECT_EQ(read.events, R"({"type":"functionCall","name":"f","args":{"a":null}},)"
                         R"({"type":"metadata","metadata":{"finishReason":"STOP"}})");
}

TEST(PartialCalls, AreOmittedWhenTheyNeverEnd) {
  const std::string bytes = framed(
      {chunk(R"({"text":"a"})"), chunk(callPiece(R"("name":"f","willContinue":true)"))}, "\n");
  const test::ReadResult read = test::readAtAllPieceSizes(bytes);
  EXPECT_EQ(read.outcome, Outcome::kTruncated);
  EXPECT_EQ(read.content, R"({"role":"model","parts":[{"text":"a"}]})");
}

}  // namespace
}  // namespace strata::stream
