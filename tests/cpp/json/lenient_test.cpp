#include "json/lenient.h"

#include <gtest/gtest.h>

#include "json/pointer.h"
#include "json/text_place.h"

namespace strata::json {
namespace {

// Returns the departures as "what path begin-end", one a line, and the JSON; or why there is none.
std::string read(std::string_view text) {
  const std::optional<LenientText> found = readLenient(text);
  if (!found) return "none";
  std::string out;
  for (const Departure& each : found->departures) {
    out.append(each.what).append(" ").append(each.path).append(" ");
    out += std::to_string(each.begin) + "-" + std::to_string(each.end) + "\n";
  }
  if (!found->status) return out + "error at " + std::to_string(found->status.error().offset);
  return out + found->json;
}

TEST(Lenient, TakesACommaBeforeABracket) {
  EXPECT_EQ(read("[1,]"), "A comma before ]  2-3\n[1]");
  EXPECT_EQ(read(R"({"a":1,})"), "A comma before }  6-7\n{\"a\":1}");
  EXPECT_EQ(read("[1 ,\r\n\t]"), "A comma before ]  3-4\n[1 \r\n\t]");
  EXPECT_EQ(read(R"({"a":[{"b":{"c":[true,],},},],})"),
            "A comma before ] /a/0/b/c 21-22\nA comma before } /a/0/b 23-24\n"
            "A comma before } /a/0 25-26\nA comma before ] /a 27-28\nA comma before }  29-30\n"
            R"({"a":[{"b":{"c":[true]}}]})");
  EXPECT_EQ(read(R"([[1],["é😀",], 2])"), "A comma before ] /1 14-15\n[[1],[\"é😀\"], 2]");
}

TEST(Lenient, TakesNoOtherComma) {
  for (const std::string_view text : {"[,]", "{,}", "[1,,]", "{\"a\":1,,}", "[1,}", "{\"a\":1,]",
                                      "[1],", ",", "[1,", "{\"a\":,}", "[1]]", "{\"a\",}"}) {
    const std::optional<LenientText> found = readLenient(text);
    EXPECT_FALSE(found && found->status) << text;
  }
  EXPECT_EQ(read(R"(["a,]","b\",]"])"), "none");
}

TEST(Lenient, TakesSingleQuotesAndKeysWithoutQuotes) {
  EXPECT_EQ(read(R"({'a':'x "y" \'z\' \n'})"),
            "A text in single quotes /a 1-4\nA text in single quotes /a 5-21\n"
            R"({"a":"x \"y\" 'z' \n"})");
  EXPECT_EQ(read("{ab_$1 : true, nullable: null}"),
            "A key without quotes /ab_$1 1-6\nA key without quotes /nullable 15-23\n"
            R"({"ab_$1" : true, "nullable": null})");
  EXPECT_EQ(read("['it,]']"), "A text in single quotes /0 1-7\n[\"it,]\"]");
  // A reserved word is no key, and a word is no value.
  EXPECT_EQ(read("{true:1}"), "none");
  EXPECT_EQ(read("{a:b}"), "A key without quotes /a 1-2\nerror at 3");
  EXPECT_EQ(read("['a"), "none");
}

TEST(Lenient, NamesAnErrorWhereItIsInTheText) {
  EXPECT_EQ(read("['a',[1,],x]"),
            "A text in single quotes /0 1-4\nA comma before ] /1 7-8\nerror at 10");
}

TEST(Lenient, KnowsWhereTheBytesAreWritten) {
  const std::optional<LenientText> found = readLenient(R"([1,'a"b',])");
  ASSERT_TRUE(found && found->status);
  EXPECT_EQ(found->json, R"([1,"a\"b"])");
  EXPECT_EQ(found->sourceOf(0), 0);
  EXPECT_EQ(found->sourceOf(3), 3);
  EXPECT_EQ(found->sourceOfEnd(9), 8);  // the text in single quotes
  EXPECT_EQ(found->sourceOf(9), 9);     // ], which the comma precedes
  EXPECT_EQ(found->sourceOf(10), 10);
}

TEST(Lenient, EndsAtALimitAndCopiesNoLongPath) {
  std::string text = "[";
  for (size_t i = 0; i < kMaxDepartures; ++i) text += "[1,],";
  EXPECT_EQ(readLenient(text + "1]")->departures.size(), kMaxDepartures);
  EXPECT_FALSE(readLenient(text + "1,]"));
  const std::string key(2000, 'k');
  const std::optional<LenientText> found = readLenient("{\"a\":{\"" + key + "\":[1,]}}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->departures[0].path, "/a");
  EXPECT_FALSE(readLenient(std::string(100'000, '[') + "1,]"));
}

TEST(TextPlaces, CountsLinesAndUtf16Units) {
  TextPlaces places("a\r\n\"é😀\",\n]");
  EXPECT_EQ(places.describe(0), "line 1, column 1");
  EXPECT_EQ(places.describe(3), "line 2, column 1");
  EXPECT_EQ(places.describe(11), "line 2, column 6");
  EXPECT_EQ(places.describe(13), "line 3, column 1");
  EXPECT_EQ(places.describe(100), "line 3, column 2");
}

TEST(TextPlaces, CountsBytes) {
  TextPlaces places("a\r\n\"é😀\",\n]", TextUnit::kByte);
  const TextPlace found = places.place(11);
  EXPECT_EQ(found.offset, 11);
  EXPECT_EQ(found.line, 2);
  EXPECT_EQ(found.column, 9);
}

TEST(TextPlaces, CountInAnyOrder) {
  std::string text;
  for (size_t i = 0; i < 1000; ++i) text += "é😀" + std::string(i % 7, 'x') + "\n";
  TextPlaces places(text);
  for (const size_t line : {999, 3, 500, 0, 1000}) {
    size_t at = 0;
    for (size_t i = 0; i < line; ++i) at += 7 + i % 7;
    const std::string expected = "line " + std::to_string(line + 1) + ", column ";
    EXPECT_EQ(places.describe(at), expected + "1");
    if (line < 1000) {
      EXPECT_EQ(places.describe(at + 6), expected + "4");
    }
  }
}

TEST(LenientTape, KnowsWhereItsValuesAreWritten) {
  constexpr std::string_view kText = R"({a: ['b"', [1,],]})";
  const LenientTape tape(kText);
  ASSERT_TRUE(tape.status());
  const auto written = [&](std::string_view pointer) {
    const TextRange range = tape.rangeOf(valueAt(tape.root(), pointer));
    return kText.substr(range.begin, range.end - range.begin);
  };
  EXPECT_EQ(written(""), kText);
  EXPECT_EQ(written("/a/0"), "'b\"'");
  EXPECT_EQ(written("/a/1"), "[1,]");
  EXPECT_EQ(written("/a/1/0"), "1");
  EXPECT_FALSE(LenientTape("[1").status());
  EXPECT_EQ(LenientTape("['a',x]").status().error().offset, 5);
}

TEST(LenientTape, StopsAtTheMostValues) {
  EXPECT_TRUE(LenientTape("{'a':[1,2,],}", 3).status());
  EXPECT_TRUE(LenientTape("{'a':[1,2,],}", 2).hasTooManyValues());
  EXPECT_TRUE(LenientTape("[1,2]", 1).hasTooManyValues());
  EXPECT_FALSE(LenientTape("[1,2", 2).hasTooManyValues());
}

}  // namespace
}  // namespace strata::json
