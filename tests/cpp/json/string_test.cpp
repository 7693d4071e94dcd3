#include "json/string.h"

#include <gtest/gtest.h>

#include "json/tape.h"
#include "json/value.h"

namespace strata::json {
namespace {

std::string unescaped(std::string_view raw) {
  std::string out;
  appendUnescaped(out, raw);
  return out;
}

std::string toQuoted(std::string_view text) {
  std::string out;
  appendQuoted(out, text);
  return out;
}

TEST(JsonString, ResolvesEscapes) {
  EXPECT_EQ(unescaped(R"(a\"\\\/\b\f\n\r\tz)"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped(R"(\u0041\u00e9\u20AC)"), "A\u00e9\u20ac");
  EXPECT_EQ(unescaped(R"(\u0000)"), std::string_view("\0", 1));
}

TEST(JsonString, ResolvesEscapesAtEveryOffsetOfAWord) {
  for (size_t prefix = 0; prefix < 20; ++prefix) {
    for (size_t suffix = 0; suffix < 20; ++suffix) {
      const std::string before(prefix, 'a');
      const std::string after(suffix, 'z');
      EXPECT_EQ(unescaped(before + R"(\n\u00e9)" + after), before + "\n\u00e9" + after);
      EXPECT_EQ(unescaped(before + R"(\"\\)" + after), before + "\"\\" + after);
    }
  }
}

TEST(JsonString, JoinsSurrogatePairsAndReplacesLoneOnes) {
  EXPECT_EQ(unescaped(R"(\ud83d\ude00)"), "\U0001F600");
  EXPECT_EQ(unescaped(R"(\ud83d)"), "\uFFFD");
  EXPECT_EQ(unescaped(R"(\ud83dx)"), "\uFFFDx");
  EXPECT_EQ(unescaped(R"(\ude00)"), "\uFFFD");
  EXPECT_EQ(unescaped(R"(\ud83d\n)"), "\uFFFD\n");
  EXPECT_EQ(unescaped(R"(\ud83d\u0041)"), "\uFFFDA");
  EXPECT_EQ(unescaped(R"(\ud83d\ud83d\ude00)"), "\uFFFD\U0001F600");
  EXPECT_EQ(unescaped(R"(\ude00\ud83d)"), "\uFFFD\uFFFD");
  // The ends of both ranges.
  EXPECT_EQ(unescaped(R"(\ud800\udc00\udbff\udfff)"), "\U00010000\U0010FFFF");
  EXPECT_EQ(unescaped(R"(\udc00\udc00)"), "\uFFFD\uFFFD");
  EXPECT_EQ(unescaped(R"(\ud7ff\udc00\ud800\ue000)"), "\uD7FF\uFFFD\uFFFD\uE000");
}

TEST(JsonString, FindsLoneSurrogates) {
  for (const std::string_view lone : {R"(\ud83d)", R"(a\udc22b)", R"(\ud83d\ud83d\udc22)",
                                      R"(\\\ud83d")", R"(\ud83d\n)", R"(\udc22\ud83d)"}) {
    EXPECT_TRUE(hasLoneSurrogate(lone)) << lone;
  }
  for (const std::string_view whole :
       {"", "a", R"(\ud83d\udc22)", R"(\uFFFD)", R"(\\ud83d)", R"(\n\"\u0041)"}) {
    EXPECT_FALSE(hasLoneSurrogate(whole)) << whole;
  }
}

TEST(JsonString, WritesOnlyRequiredEscapes) {
  EXPECT_EQ(toQuoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(toQuoted(std::string_view("\0\x1f\n\r\t\b\x7f", 7)),
            "\"\\u0000\\u001f\\n\\r\\t\\u0008\x7f\"");
  EXPECT_EQ(toQuoted("\u00e9\u2028\U0001F600"), "\"\u00e9\u2028\U0001F600\"");
}

TEST(JsonString, RoundTripsEveryCharacter) {
  std::string all;
  for (int c = 0; c < 0x80; ++c) all.push_back(static_cast<char>(c));
  all += "\u00e9\u20ac\U0001F600";
  const std::string text = toQuoted(all);
  EXPECT_EQ(Tape::read(text).value().root().text(), all);
}

TEST(JsonString, ReadsFourHexadecimalDigits) {
  EXPECT_EQ(hexQuad("xD83d", 1), 0xD83D);
  EXPECT_EQ(hexQuad("12G4", 0), -1);
  EXPECT_EQ(hexQuad("123", 0), -1);
}

}  // namespace
}  // namespace strata::json
