#include <gtest/gtest.h>

#include <string>

#include "json/tape.h"
#include "json/value.h"

namespace strata::json {
namespace {

std::string member(const std::string& key) { return "\"" + key + "\":0"; }

// An object with the keys k0 to k<count - 1>, followed by `last`.
std::string objectWith(size_t count, const std::string& last) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i) text += member("k" + std::to_string(i)) + ",";
  return text + member(last) + "}";
}

void expectDuplicate(const std::string& text, size_t offset, const std::string& path) {
  const Result<Tape> tape = Tape::read(text);
  ASSERT_FALSE(tape) << text;
  EXPECT_EQ(tape.error().code, "json.duplicate_key");
  EXPECT_EQ(tape.error().offset, offset);
  EXPECT_EQ(tape.error().path, path);
}

TEST(DuplicateKey, IsFoundAmongFewAndManyKeys) {
  for (const size_t count : {1U, 2U, 11U, 12U, 13U, 14U, 500U}) {
    const std::string text = objectWith(count, "k0");
    expectDuplicate(text, text.rfind("\"k0\""), "/k0");
    EXPECT_TRUE(Tape::read(objectWith(count, "other"))) << count;
  }
}

TEST(DuplicateKey, IsFoundThroughEscapes) {
  for (const size_t count : {1U, 40U}) {
    const std::string text = objectWith(count, "\\u006B0");
    expectDuplicate(text, text.rfind("\"\\u006B0\""), "/k0");
  }
  EXPECT_FALSE(Tape::read(R"({"\u00e9":1,"é":2})"));
  EXPECT_TRUE(Tape::read(R"({"\\u00e9":1,"é":2})"));
}

TEST(DuplicateKey, IsPerObject) {
  EXPECT_TRUE(Tape::read(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]})"));
  const std::string text = R"({"a":{"b":1,"c":{"b":1},"b":2}})";
  expectDuplicate(text, 24, "/a/b");
}

TEST(DuplicateKey, ComparesEmptyKeysAndPrefixesAsKeys) {
  EXPECT_TRUE(Tape::read(R"({"":1,"a":2,"aa":3})"));
  EXPECT_FALSE(Tape::read(R"({"":1,"a":2,"":3})"));
}

// Keys that differ only in the middle have equal fingerprints. Comparing them pair by pair would
// take minutes.
TEST(DuplicateKey, IsFoundAmongManyKeysWithEqualFingerprints) {
  std::string text = "{";
  for (int i = 100000; i < 200000; ++i) {
    text += member("a long prefix " + std::to_string(i) + " a long suffix") + ",";
  }
  EXPECT_EQ(Tape::read(text + member("z") + "}").value().root().size(), 100001U);
  const std::string again = "a long prefix 100000 a long suffix";
  const std::string twice = text + member(again) + "}";
  expectDuplicate(twice, twice.rfind('"' + again), "/" + again);
}

}  // namespace
}  // namespace strata::json
