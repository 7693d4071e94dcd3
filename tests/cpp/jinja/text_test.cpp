// Tests the character classes and case conversions against CPython 3.11.
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "jinja/text/case.h"
#include "jinja/text/characters.h"
#include "jinja/text/entities.h"
#include "jinja/text/search.h"

namespace strata::jinja::text {
namespace {

// FNV-1a hash over the results for all code points below 0x20000. The expected hashes were computed
// with CPython 3.11.2.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t sum_ = 0xcbf29ce484222325;
};

template <typename Visit>
uint64_t overAll(Visit visit) {
  Checksum sum;
  std::string text;
  for (uint32_t c = 0; c < 0x20000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    text.clear();
    visit(text, c);
    sum.add(text);
  }
  return sum.sum();
}

uint64_t answers(bool (*question)(uint32_t)) {
  return overAll([&](std::string& out, uint32_t c) { out.push_back(question(c) ? '\1' : '\0'); });
}

std::string utf8(uint32_t c) {
  std::string out;
  appendUtf8(out, c);
  return out;
}

std::string lower(const std::string& text) {
  std::string out;
  appendLower(out, text);
  return out;
}

// All texts of up to 9 letters of an alphabet of two, and all parts of up to 5, so that every kind
// of repetition occurs.
TEST(Search, FindsWhatTheStandardLibraryFinds) {
  const auto word = [](size_t size, uint32_t bits) {
    std::string out;
    for (size_t i = 0; i < size; ++i) out += (bits >> i & 1U) != 0 ? 'b' : 'a';
    return out;
  };
  for (size_t size = 0; size <= 9; ++size) {
    for (uint32_t bits = 0; bits < 1U << size; ++bits) {
      const std::string text = word(size, bits);
      for (size_t partSize = 0; partSize <= 5; ++partSize) {
        for (uint32_t partBits = 0; partBits < 1U << partSize; ++partBits) {
          const std::string part = word(partSize, partBits);
          ASSERT_EQ(find(text, part), text.find(part)) << text << " " << part;
          ASSERT_EQ(rfind(text, part), text.rfind(part)) << text << " " << part;
        }
      }
    }
  }
}

TEST(Search, FindsLongPartsWithPeriods) {
  for (const std::string period : {"a", "ab", "aab", "abaab", "abcabcab"}) {
    std::string text;
    while (text.size() < 200) text += period;
    for (size_t begin = 0; begin < 40; ++begin) {
      for (const size_t size : {7U, 20U, 61U, 140U}) {
        for (const char* end : {"", "a", "x"}) {
          const std::string part = text.substr(begin, size) + end;
          EXPECT_EQ(find("zz" + text + "z" + part, part), ("zz" + text + "z" + part).find(part));
          EXPECT_EQ(rfind(part + "z" + text, part), (part + "z" + text).rfind(part));
          EXPECT_EQ(find(text, part), text.find(part));
          EXPECT_EQ(rfind(text, part), text.rfind(part));
        }
      }
    }
  }
}

TEST(Entities, EndWithTheText) {
  std::string out;
  appendUnescapedHtml(out, std::string_view("&#65;").substr(0, 4));
  EXPECT_EQ(out, "A");
}

TEST(Characters, MatchPython) {
  EXPECT_EQ(answers(isSpace), 0x85e62730f586b908U);
  EXPECT_EQ(answers(isPrintable), 0xb8e7c0888cec3180U);
  EXPECT_EQ(answers(isAlpha), 0x30371a602b75e1d0U);
  EXPECT_EQ(answers(isAlnum), 0xb08d0cd1236d5b33U);
  EXPECT_EQ(answers(isDigit), 0x92ccdbbb0f9e5da5U);
  EXPECT_EQ(answers(isUpper), 0x65326253d27d51a4U);
  EXPECT_EQ(answers(isLower), 0x6284954fd6fd1560U);
  EXPECT_EQ(answers([](uint32_t c) { return isTitle(c) || isUpper(c); }), 0x3a3410f8a19a7fddU);
  EXPECT_EQ(answers([](uint32_t c) { return decimalValue(c) >= 0; }), 0x16be011083c388e9U);
}

TEST(Case, MatchesPython) {
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { appendUpper(out, utf8(c)); }),
            0xcf3eec3c0413b230U);
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { appendTitle(out, utf8(c)); }),
            0xb9be9848d71ad735U);
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { appendSwapped(out, utf8(c)); }),
            0x92b0862d8bf54f15U);
}

TEST(Case, FoldsLikePython) {
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { appendFolded(out, utf8(c)); }),
            0xf96a3ed25a37716cU);
}

TEST(Case, LowersASigmaByItsContext) {
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { out += lower("a" + utf8(c) + "\u03a3"); }),
            0x33f18de5b8ed1758U);
  EXPECT_EQ(overAll([](std::string& out, uint32_t c) { out += lower("A\u03a3" + utf8(c)); }),
            0x11a220c970b58c74U);
}

TEST(Case, ConvertsWordsToTitleCase) {
  std::string out;
  appendTitle(out, "it's \u00dfein o\ufb01 ONE2two");
  EXPECT_EQ(out, "It'S Ssein O\ufb01 One2Two");
  out.clear();
  appendCapitalized(out, "\u01c6ALPHA beta");
  EXPECT_EQ(out, "\u01c5alpha beta");
}

}  // namespace
}  // namespace strata::jinja::text
