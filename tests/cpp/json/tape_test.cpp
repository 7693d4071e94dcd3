#include "json/tape.h"

#include <gtest/gtest.h>

#include <string>

#include "json/value.h"

namespace strata::json {
namespace {

bool reads(std::string_view text) { return static_cast<bool>(Tape::read(text)); }

TEST(Tape, ReadsEveryKindOfValue) {
  EXPECT_EQ(Tape::read("null").value().root().kind(), Kind::kNull);
  EXPECT_EQ(Tape::read("true").value().root().kind(), Kind::kTrue);
  EXPECT_EQ(Tape::read("false").value().root().kind(), Kind::kFalse);
  EXPECT_EQ(Tape::read("-0.5e+3").value().root().kind(), Kind::kNumber);
  EXPECT_EQ(Tape::read("\"\"").value().root().kind(), Kind::kString);
  EXPECT_EQ(Tape::read(" [ ] ").value().root().kind(), Kind::kArray);
  EXPECT_EQ(Tape::read("\t{\r\n}").value().root().kind(), Kind::kObject);
}

TEST(Tape, ReadsTheNumbersOfRfc8259AndNoOthers) {
  for (const char* number :
       {"0", "-0", "10", "1.0", "-1.25", "1e5", "1E+5", "2e-7", "9007199254740993", "0.10"}) {
    EXPECT_TRUE(reads(number)) << number;
  }
  for (const char* number : {"-", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "0x10", "1_0",
                             "NaN", "Infinity", "1 2"}) {
    EXPECT_FALSE(reads(number)) << number;
  }
}

TEST(Tape, RejectsInvalidJson) {
  for (const char* text : {"",
                           " ",
                           "nul",
                           "tru",
                           "True",
                           "[",
                           "]",
                           "{",
                           "}",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{1:2}",
                           "{\"a\" 1}",
                           "{\"a\":1 \"b\":2}",
                           "[1}",
                           "{]",
                           "'a'",
                           "//c\n1",
                           "\xEF\xBB\xBF{}",
                           "{}{}",
                           "[1]]",
                           "\v1"}) {
    EXPECT_FALSE(reads(text)) << text;
  }
  EXPECT_FALSE(reads(std::string_view("1\0", 2)));
}

TEST(Tape, AcceptsOnlyTheEscapesOfJson) {
  EXPECT_TRUE(reads(R"("\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00")"));
  EXPECT_TRUE(reads("\"\x7F\""));
  for (const char* text : {R"("\x41")", R"("\u12")", R"("\u12G4")", R"("\")", R"("\ )", R"("a)",
                           "\"a\nb\"", "\"a\tb\"", "\"\x1F\""}) {
    EXPECT_FALSE(reads(text)) << text;
  }
  EXPECT_FALSE(reads(std::string_view("\"\0\"", 3)));
}

// Strings are scanned eight bytes at a time, so special bytes are tested at each offset of a word.
TEST(Tape, FindsSpecialBytesAtEveryOffsetOfAWord) {
  for (size_t length = 0; length < 24; ++length) {
    const std::string plain(length, 'x');
    EXPECT_TRUE(reads("\"" + plain + "\""));
    EXPECT_FALSE(reads("\"" + plain + "\n" + "yyyyyyyyyyy\""));
    EXPECT_FALSE(reads("\"" + plain + "\x80" + "yyyyyyyyyyy\""));
    EXPECT_TRUE(reads("\"" + plain + "\xC3\xA9" + plain + "\""));
    EXPECT_EQ(Tape::read("[\"" + plain + "\",1]").value().root().size(), 2U);
  }
}

TEST(Tape, EnforcesTheDepthLimit) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(reads(nested(kMaxDepth)));
  const Result<Tape> tooDeep = Tape::read(nested(kMaxDepth + 1));
  ASSERT_FALSE(tooDeep);
  EXPECT_EQ(tooDeep.error().code, "json.too_deep");
  EXPECT_EQ(tooDeep.error().offset, kMaxDepth);

  std::string objects;
  for (size_t i = 0; i < 10000; ++i) objects += "{\"a\":";
  const Result<Tape> objectsTooDeep = Tape::read(objects);
  ASSERT_FALSE(objectsTooDeep);
  EXPECT_EQ(objectsTooDeep.error().code, "json.too_deep");
}

TEST(Tape, StopsAtTheMostValues) {
  const std::pair<std::string_view, size_t> cases[] = {
      {R"("[,,,{")", 0},         {"{}", 1}, {"[1,2,3]", 3}, {R"({"a":[{},{}],"b":"x,\""})", 6},
      {R"(["\\",[1],",,"])", 4},
  };
  for (const auto& [text, values] : cases) {
    Tape tape;
    EXPECT_TRUE(Tape::read(text, tape, kMaxDepth, values)) << text;
    if (values == 0) continue;
    const Status tooMany = Tape::read(text, tape, kMaxDepth, values - 1);
    ASSERT_FALSE(tooMany) << text;
    EXPECT_EQ(tooMany.error().code, kTooManyValues);
  }
}

TEST(Tape, CountsOnlyOpenContainersAsDepth) {
  std::string siblings = "[";
  for (int i = 0; i < 1000; ++i) siblings += "[[]],";
  EXPECT_TRUE(reads(siblings + "0]"));
}

TEST(Tape, PreservesTheBytesOfEveryValue) {
  const std::string text = "{ \"a\" : [ 1.0 , 9007199254740993 ] , \"b\" : {\"c\":\"\\u00e9\"} }";
  const Tape tape = Tape::read(text).value();
  EXPECT_EQ(tape.root().bytes(), text);
  EXPECT_EQ(tape.root().find("a").bytes(), "[ 1.0 , 9007199254740993 ]");
  EXPECT_EQ(tape.root().find("a").at(0).bytes(), "1.0");
  EXPECT_EQ(tape.root().find("b").find("c").bytes(), "\"\\u00e9\"");
  EXPECT_EQ(tape.root().find("b").offset(), text.find("{\"c\""));
}

}  // namespace
}  // namespace strata::json
