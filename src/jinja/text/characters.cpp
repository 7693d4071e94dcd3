#include "jinja/text/characters.h"

#include "jinja/text/case.h"
#include "jinja/text/unicode_tables.h"

namespace strata::jinja::text {
namespace {

// Returns the class from generate-unicode.py: kind * 2 + case-ignorable, or kMark.
uint32_t classOf(uint32_t codePoint) {
  size_t anchor = kClassAnchorCount - 1;
  while (kClassAnchors[anchor].codePoint > codePoint) --anchor;
  uint32_t end = kClassAnchors[anchor].codePoint;
  TableReader runs(kClasses + kClassAnchors[anchor].byte, SIZE_MAX / 2);
  for (;;) {
    const uint32_t run = runs.next();
    end += run / 8;
    if (codePoint < end) return run % 8;
  }
}

constexpr uint32_t kPrintable = 1;
constexpr uint32_t kAlnum = 2;
constexpr uint32_t kAlpha = 3;
constexpr uint32_t kIgnorableMark = 3;  // a class
constexpr uint32_t kMark = 5;           // a class: printable, and can continue an identifier

uint32_t kindOf(uint32_t codePoint) {
  const uint32_t found = classOf(codePoint);
  return found == kMark ? kPrintable : found / 2;
}

bool inRanges(TableReader ranges, uint32_t codePoint) {
  uint32_t at = 0;
  while (!ranges.done()) {
    at += ranges.next();
    if (codePoint < at) return false;
    at += ranges.next();
    if (codePoint < at) return true;
  }
  return false;
}

bool isBetween(uint32_t codePoint, uint32_t first, uint32_t last) {
  return codePoint >= first && codePoint <= last;
}

}  // namespace

bool isSpace(uint32_t c) {
  if (c < 0x80) return c == ' ' || isBetween(c, '\t', '\r') || isBetween(c, 0x1C, 0x1F);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || isBetween(c, 0x2000, 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool isLineBreak(uint32_t c) {
  return isBetween(c, '\n', '\r') || isBetween(c, 0x1C, 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

bool isPrintable(uint32_t c) {
  if (c < 0x7F) return c >= ' ';
  return kindOf(c) >= kPrintable;
}

bool isAlpha(uint32_t c) {
  if (c < 0x80) return isBetween(c | 0x20U, 'a', 'z');
  return kindOf(c) == kAlpha;
}

bool isAlnum(uint32_t c) {
  if (c < 0x80) return isBetween(c, '0', '9') || isAlpha(c);
  return kindOf(c) >= kAlnum;
}

bool isWord(uint32_t c) { return c == '_' || isAlnum(c); }

int decimalValue(uint32_t c) {
  if (c < 0x80) return isBetween(c, '0', '9') ? static_cast<int>(c - '0') : -1;
  TableReader starts(kDecimalStarts, kDecimalStartsSize);
  for (uint32_t start = 0; !starts.done();) {
    start += starts.next();
    if (c < start) return -1;
    if (c < start + 10) return static_cast<int>(c - start);
  }
  return -1;
}

bool isDigit(uint32_t c) {
  if (decimalValue(c) >= 0) return true;
  return c >= 0x80 && inRanges({kOtherDigits, kOtherDigitsSize}, c);
}

bool isUpper(uint32_t c) {
  if (c < 0x80) return isBetween(c, 'A', 'Z');
  const bool swaps = changesLower(c) && !changesUpper(c);
  return swaps != inRanges({kUpperOddities, kUpperOdditiesSize}, c);
}

bool isLower(uint32_t c) {
  if (c < 0x80) return isBetween(c, 'a', 'z');
  const bool swaps = changesUpper(c) && !changesLower(c);
  return swaps != inRanges({kLowerOddities, kLowerOdditiesSize}, c);
}

bool isTitle(uint32_t c) {
  return c >= 0x80 && changesLower(c) && changesUpper(c) && !isUpper(c) && !isLower(c);
}

bool isCased(uint32_t c) { return isUpper(c) || isLower(c) || isTitle(c); }

bool isCaseIgnorable(uint32_t c) {
  const uint32_t found = classOf(c);
  return found % 2 == 1 && found != kMark;
}

bool startsIdentifier(uint32_t c) {
  if (c == '_') return true;
  return isAlpha(c) !=
         (c >= 0x80 && inRanges({kIdentifierStartOddities, kIdentifierStartOdditiesSize}, c));
}

bool continuesIdentifier(uint32_t c) {
  if (c < 0x80) return isWord(c);
  const uint32_t found = classOf(c);
  const bool mostly =
      found == kIgnorableMark || found == kMark || startsIdentifier(c) || decimalValue(c) >= 0;
  return mostly != inRanges({kIdentifierOddities, kIdentifierOdditiesSize}, c);
}

void appendEscapeCode(std::string& out, uint32_t c) {
  const int digits = c < 0x100 ? 2 : (c < 0x10000 ? 4 : 8);
  out += digits == 2 ? 'x' : (digits == 4 ? 'u' : 'U');
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[c >> static_cast<unsigned>(shift) & 15U];
  }
}

}  // namespace strata::jinja::text
