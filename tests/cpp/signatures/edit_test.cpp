// Tests that signatures are set and removed without changing any other byte.
#include "signatures/edit.h"

#include <gtest/gtest.h>

#include <random>

#include "support/json_file.h"
#include "support/mutate.h"

namespace strata::signatures {
namespace {

std::string edited(const std::string& body, const std::vector<SignatureEdit>& edits) {
  const test::Json read(body);
  EXPECT_TRUE(read.ok()) << body;
  Result<Segments> result = editSignatures(read.root(), read.text(), edits);
  if (!result) return std::string(result.error().code) + " " + result.error().path;
  return result.value().join();
}

// Edits the parts of one model Content, which is surrounded by spaces.
std::string editedParts(const std::string& parts, const std::vector<SignatureEdit>& edits) {
  const std::string before = "{ \"contents\" : [ {\"parts\": ";
  const std::string after = " , \"role\":\"model\" } ],\n\"x\":1.0 }";
  const std::string out = edited(before + parts + after, edits);
  const bool framed = out.size() >= before.size() + after.size() &&
                      out.substr(0, before.size()) == before &&
                      out.substr(out.size() - after.size()) == after;
  if (!framed) return out;
  return out.substr(before.size(), out.size() - before.size() - after.size());
}

SignatureEdit set(int32_t part, const std::string& signature) {
  return {0, part, false, signature};
}
SignatureEdit clear(int32_t part) { return {0, part, false, std::nullopt}; }
SignatureEdit insert(int32_t part, const std::string& signature) {
  return {0, part, true, signature};
}

TEST(EditSignatures, ReturnsTheBodyWithoutEdits) {
  EXPECT_EQ(editedParts(R"([ { "text" : "a" } ])", {}), R"([ { "text" : "a" } ])");
}

TEST(EditSignatures, SetsASignature) {
  EXPECT_EQ(editedParts(R"([ { "text" : "a" } ])", {set(0, "AAAA")}),
            R"([ { "text" : "a" ,"thoughtSignature":"AAAA"} ])");
  EXPECT_EQ(editedParts(R"([{"text":"a","thoughtSignature": "B" , "x":1}])", {set(0, "AAAA")}),
            R"([{"text":"a","thoughtSignature": "AAAA" , "x":1}])");
  EXPECT_EQ(editedParts(R"([{"text":"a","thought_signature":null}])", {set(0, "AAAA")}),
            R"([{"text":"a","thought_signature":"AAAA"}])");
  EXPECT_EQ(editedParts(R"([{}])", {set(0, "AAAA")}), R"([{"thoughtSignature":"AAAA"}])");
  EXPECT_EQ(editedParts(R"({"text":"a"})", {set(0, "AAAA")}),
            R"({"text":"a","thoughtSignature":"AAAA"})");
}

TEST(EditSignatures, LeavesOneOfTwoSpellings) {
  const std::string both = R"([{"thoughtSignature":"A","thought_signature":"B","text":"a"}])";
  EXPECT_EQ(editedParts(both, {set(0, "CCCC")}), R"([{"text":"a","thoughtSignature":"CCCC"}])");
  EXPECT_EQ(editedParts(both, {clear(0)}), R"([{"text":"a"}])");
}

TEST(EditSignatures, EscapesASignature) {
  EXPECT_EQ(editedParts(R"([{"text":"a"}])", {set(0, "A\"B\\")}),
            R"([{"text":"a","thoughtSignature":"A\"B\\"}])");
}

TEST(EditSignatures, RemovesASignature) {
  EXPECT_EQ(editedParts(R"([{"text":"a" , "thoughtSignature":"A"}])", {clear(0)}),
            R"([{"text":"a"}])");
  EXPECT_EQ(editedParts(R"([{"thoughtSignature":"A" , "text":"a"}])", {clear(0)}),
            R"([{"text":"a"}])");
  EXPECT_EQ(editedParts(R"([{"text":"a"}])", {clear(0)}), R"([{"text":"a"}])");
}

TEST(EditSignatures, LeavesNoPartWithoutAField) {
  EXPECT_EQ(editedParts(R"([{"thoughtSignature":"A"}])", {clear(0)}), R"([{"text":""}])");
  EXPECT_EQ(editedParts(R"([{"thoughtSignature":"A","thought_signature":"B"}])", {clear(0)}),
            R"([{"text":""}])");
}

TEST(EditSignatures, InsertsASignedEmptyText) {
  const std::string added = R"({"text":"","thoughtSignature":"AAAA"})";
  EXPECT_EQ(editedParts(R"([ {"text":"a"} , {"text":"b"} ])", {insert(0, "AAAA")}),
            R"([ {"text":"a"},)" + added + R"( , {"text":"b"} ])");
  EXPECT_EQ(editedParts(R"([ {"text":"a"} ])", {insert(-1, "AAAA")}),
            "[ " + added + R"(,{"text":"a"} ])");
  EXPECT_EQ(editedParts("[ ]", {insert(-1, "AAAA")}), "[" + added + " ]");
  EXPECT_EQ(editedParts(R"({"text":"a"})", {insert(0, "AAAA")}), R"([{"text":"a"},)" + added + "]");
  EXPECT_EQ(editedParts(R"({"text":"a"})", {insert(-1, "AAAA"), set(0, "B"), insert(0, "AAAA")}),
            "[" + added + R"(,{"text":"a","thoughtSignature":"B"},)" + added + "]");
}

TEST(EditSignatures, FillsAnEmptyTextThatIsThere) {
  EXPECT_EQ(editedParts(R"([{"text":"a"},{"text":""}])", {insert(0, "AAAA")}),
            R"([{"text":"a"},{"text":"","thoughtSignature":"AAAA"}])");
  EXPECT_EQ(editedParts(R"([{"text":""}])", {insert(-1, "AAAA")}),
            R"([{"text":"","thoughtSignature":"AAAA"}])");
  EXPECT_EQ(editedParts(R"([{"text":"a"},{"text":"","thoughtSignature":"B"}])",
                        {{0, 0, true, std::nullopt}}),
            R"([{"text":"a"},{"text":""}])");
}

TEST(EditSignatures, TakesEditsInAnyOrder) {
  const std::string body =
      R"({"contents":[{"parts":[{"text":"a"},{"text":"b"}]},{"parts":[{"text":"c"}]}]})";
  EXPECT_EQ(
      edited(body, {{1, 0, false, "C"}, {0, 1, false, "B"}, {0, 0, true, "E"}, {0, 0, false, "A"}}),
      R"({"contents":[{"parts":[{"text":"a","thoughtSignature":"A"},)"
      R"({"text":"","thoughtSignature":"E"},{"text":"b","thoughtSignature":"B"}]},)"
      R"({"parts":[{"text":"c","thoughtSignature":"C"}]}]})");
}

TEST(EditSignatures, RefusesAPlaceThatTheBodyLacks) {
  const std::string parts = R"([{"text":"a"},1])";
  for (const SignatureEdit& wrong :
       {set(2, "A"), set(-1, "A"), set(1, "A"), insert(2, "A"), insert(-2, "A"),
        SignatureEdit{0, 0, true, std::nullopt}, SignatureEdit{1, 0, false, "A"}}) {
    EXPECT_EQ(editedParts(parts, {set(0, "X"), wrong}), "field.invalid /edits/1");
  }
  EXPECT_EQ(edited("{}", {set(0, "A")}), "field.invalid /edits/0");
  EXPECT_EQ(edited(R"({"contents":[{"role":"model"}]})", {insert(-1, "A")}),
            "field.invalid /edits/0");
}

TEST(EditSignatures, RefusesAPlaceThatIsNamedTwice) {
  EXPECT_EQ(editedParts(R"([{"text":"a"}])", {set(0, "A"), clear(0)}).substr(0, 20),
            "field.invalid /edits");
  EXPECT_EQ(editedParts(R"([{"text":"a"},{"text":""}])", {insert(0, "A"), set(1, "B")}),
            "field.invalid /edits/1");
  EXPECT_EQ(editedParts(R"([{"text":"a"}])", {insert(0, "A"), insert(0, "B")}).substr(0, 20),
            "field.invalid /edits");
}

TEST(EditSignatures, KeepsMutatedBodiesValid) {
  std::mt19937 random(3);
  const std::string body =
      R"({"contents":[{"role":"model","parts":[{"text":"a"},)"
      R"({"functionCall":{"name":"f"},"thoughtSignature":"A"},{"text":""}]}]})";
  for (int i = 0; i < 3000; ++i) {
    const std::string given = test::mutated(body, random);
    const std::vector<SignatureEdit> edits = {set(0, "X"), insert(0, "Y"), clear(1),
                                              insert(1, "Z")};
    const test::Json read(given);
    if (!read.ok()) continue;
    Result<Segments> result = editSignatures(read.root(), read.text(), edits);
    if (!result) continue;
    EXPECT_TRUE(test::Json(result.value().join()).ok()) << given;
  }
}

}  // namespace
}  // namespace strata::signatures
