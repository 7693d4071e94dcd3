#include "base/utf8.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

// Table 3-7 of the Unicode Standard lists all well-formed sequences.
size_t expectedLength(const std::string& s) {
  const auto in = [&s](size_t at, int low, int high) {
    const int byte = at < s.size() ? static_cast<unsigned char>(s[at]) : -1;
    return byte >= low && byte <= high;
  };
  const bool tail = in(2, 0x80, 0xBF);
  const bool tails = tail && in(3, 0x80, 0xBF);
  if (in(0, 0x00, 0x7F)) return 1;
  if (in(0, 0xC2, 0xDF) && in(1, 0x80, 0xBF)) return 2;
  if (in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF) && tail) return 3;
  if (in(0, 0xE1, 0xEC) && in(1, 0x80, 0xBF) && tail) return 3;
  if (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F) && tail) return 3;
  if (in(0, 0xEE, 0xEF) && in(1, 0x80, 0xBF) && tail) return 3;
  if (in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF) && tails) return 4;
  if (in(0, 0xF1, 0xF3) && in(1, 0x80, 0xBF) && tails) return 4;
  if (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F) && tails) return 4;
  return 0;
}

TEST(Utf8, AcceptsExactlyTheWellFormedSequences) {
  for (int lead = 0; lead < 256; ++lead) {
    for (int second = 0; second < 256; ++second) {
      for (const char* rest : {"\x80\x80", "\xBF\x7F", "\x7F\x80", "\x80", ""}) {
        std::string text(1, static_cast<char>(lead));
        text.push_back(static_cast<char>(second));
        text += rest;
        EXPECT_EQ(utf8SequenceLength(text, 0), expectedLength(text)) << lead << " " << second;
      }
    }
    const std::string alone(1, static_cast<char>(lead));
    EXPECT_EQ(utf8SequenceLength(alone, 0), expectedLength(alone)) << lead;
  }
}

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (uint32_t codePoint = 0; codePoint <= 0x10FFFF; ++codePoint) {
    if (codePoint == 0xD800) codePoint = 0xE000;
    std::string text;
    appendUtf8(text, codePoint);
    ASSERT_EQ(utf8SequenceLength(text, 0), text.size()) << codePoint;
    size_t at = 0;
    ASSERT_EQ(decodeUtf8(text, at), codePoint);
    ASSERT_EQ(at, text.size());
  }
}

TEST(Utf8, ReplacesInvalidCodePoints) {
  for (const uint32_t codePoint : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) {
    std::string text;
    appendUtf8(text, codePoint);
    EXPECT_EQ(text, "\uFFFD");
  }
}

TEST(Utf8, RoundsAnAsciiRunDownToMultiplesOfEight) {
  const std::string text = std::string(21, 'a') + "\u00e9" + std::string(8, 'z');
  EXPECT_EQ(asciiRun(text, 0), 16U);
  EXPECT_EQ(asciiRun(text, 13), 8U);
  EXPECT_EQ(asciiRun(text, 14), 0U);
  EXPECT_EQ(asciiRun(text, 23), 8U);
  EXPECT_EQ(asciiRun(text, text.size()), 0U);
}

TEST(Utf8, ReturnsTheLengthForALeadByte) {
  for (const std::string_view c : {"a", "\u00e9", "\u20ac", "\U0001F600"}) {
    EXPECT_EQ(sequenceLength(static_cast<unsigned char>(c[0])), c.size());
  }
}

}  // namespace
}  // namespace strata
