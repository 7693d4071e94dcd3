#include <gtest/gtest.h>

#include <string>

#include "json/tape.h"

namespace strata::json {
namespace {

// Returns code, offset and path in one text, so that a failed expectation shows all of them.
std::string errorOf(std::string_view text) {
  const Result<Tape> tape = Tape::read(text);
  if (tape) return "none";
  const Error& error = tape.error();
  return std::string(error.code) + " " + std::to_string(error.offset) + " " + error.path;
}

TEST(TapeError, ReportsByteOffsetAndPointer) {
  EXPECT_EQ(errorOf(""), "json.invalid 0 ");
  EXPECT_EQ(errorOf("[1,2,x]"), "json.invalid 5 /2");
  EXPECT_EQ(errorOf("[[1],[2,x]]"), "json.invalid 8 /1/1");
  EXPECT_EQ(errorOf(R"({"a":{"b":[{"c":tru}]}})"), "json.invalid 16 /a/b/0/c");
  EXPECT_EQ(errorOf(R"({"a":1,"b":[1,2)"), "json.invalid 15 /b/2");
  EXPECT_EQ(errorOf(R"({"a":1} x)"), "json.invalid 8 ");
}

TEST(TapeError, EscapesKeysInPointers) {
  EXPECT_EQ(errorOf(R"({"a/b":{"~":!}})"), "json.invalid 12 /a~1b/~0");
  EXPECT_EQ(errorOf(R"({"\u0061":!})"), "json.invalid 10 /a");
}

TEST(TapeError, ReportsTheInvalidByteOfAString) {
  EXPECT_EQ(errorOf("[\"ab\xFF\"]"), "json.invalid_utf8 4 /0");
  EXPECT_EQ(errorOf("[\"ab\n\"]"), "json.invalid 4 /0");
  EXPECT_EQ(errorOf(R"(["ab\q"])"), "json.invalid 4 /0");
  EXPECT_EQ(errorOf(R"(["abc)"), "json.invalid 5 /0");
}

TEST(TapeError, ReportsTheFullPathOfJsonThatIsTooDeep) {
  const std::string text(kMaxDepth + 1, '[');
  std::string path;
  for (size_t i = 0; i < kMaxDepth; ++i) path += "/0";
  EXPECT_EQ(errorOf(text), "json.too_deep 200 " + path);
}

TEST(TapeError, ReportsWhatWasExpected) {
  EXPECT_EQ(Tape::read("{\"a\" 1}").error().detail, "a colon after the key");
  EXPECT_EQ(Tape::read("[1 2]").error().detail, "a comma or ]");
  EXPECT_EQ(Tape::read("?").error().detail, "a value");
  EXPECT_EQ(Tape::read("\xEF\xBB\xBF{}").error().detail,
            "a value, with no byte order mark before it");
}

}  // namespace
}  // namespace strata::json
