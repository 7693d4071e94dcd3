#include "json/scan.h"

#include "base/ascii.h"
#include "base/swar.h"
#include "base/utf8.h"
#include "json/string.h"

namespace strata::json {
namespace {

// Returns a nonzero value if any byte is a quote, a backslash, a control character or not ASCII;
// its lowest bit is in the first such byte.
uint64_t specials(uint64_t word) {
  const uint64_t quote = bytesEqual(word, '"');
  const uint64_t backslash = bytesEqual(word, '\\');
  const uint64_t control = (word - kOnes * 0x20) & ~word & kHighBits;
  return quote | backslash | control | (word & kHighBits);
}

bool isPlain(unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; }

[[gnu::always_inline]] inline size_t plainEnd(std::string_view source, size_t at) {
  for (; at + 8 <= source.size(); at += 8) {
    const uint64_t found = specials(load8(source.data() + at));
    if (found != 0) return at + firstByte(found);
  }
  while (at < source.size() && isPlain(static_cast<unsigned char>(source[at]))) ++at;
  return at;
}

// Returns the length of the escape sequence at `at`, or 0 if it is invalid.
size_t escapeLength(std::string_view source, size_t at) {
  if (at + 1 >= source.size()) return 0;
  const char c = source[at + 1];
  if (c == 'u') return hexQuad(source, at + 2) < 0 ? 0 : 6;
  return std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos ? 0 : 2;
}

size_t skipDigits(std::string_view source, size_t at) {
  while (at < source.size() && ascii::isDigit(source[at])) ++at;
  return at;
}

bool startsWith(std::string_view source, size_t at, char c) {
  return at < source.size() && source[at] == c;
}

}  // namespace

size_t skipPlain(std::string_view source, size_t at) { return plainEnd(source, at); }

StringScan scanString(std::string_view source, size_t at) {
  StringScan scan;
  for (;;) {
    at = plainEnd(source, at);
    scan.at = at;
    if (at >= source.size()) {
      scan.end = StringEnd::kUnterminated;
      return scan;
    }
    const char c = source[at];
    size_t length = 0;
    if (c == '"') {
      scan.at = at + 1;
      return scan;
    }
    if (c == '\\') {
      scan.escaped = true;
      length = escapeLength(source, at);
      scan.end = StringEnd::kBadEscape;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      scan.end = StringEnd::kControl;
    } else {
      length = utf8SequenceLength(source, at);
      scan.end = StringEnd::kBadUtf8;
    }
    if (length == 0) return scan;
    scan.end = StringEnd::kClosed;
    at += length;
  }
}

size_t scanNumber(std::string_view source, size_t at) {
  const size_t start = at;
  if (startsWith(source, at, '-')) ++at;
  const size_t whole = at;
  at = skipDigits(source, at);
  if (at == whole || (source[whole] == '0' && at > whole + 1)) return start;
  if (startsWith(source, at, '.')) {
    const size_t fraction = at + 1;
    at = skipDigits(source, fraction);
    if (at == fraction) return start;
  }
  if (startsWith(source, at, 'e') || startsWith(source, at, 'E')) {
    ++at;
    if (startsWith(source, at, '+') || startsWith(source, at, '-')) ++at;
    const size_t exponent = at;
    at = skipDigits(source, at);
    if (at == exponent) return start;
  }
  return at;
}

size_t findEither(std::string_view source, size_t at, char first, char second) {
  const uint64_t firsts = kOnes * static_cast<unsigned char>(first);
  const uint64_t seconds = kOnes * static_cast<unsigned char>(second);
  for (; at + 8 <= source.size(); at += 8) {
    const uint64_t word = load8(source.data() + at);
    const uint64_t found = zeroBytes(word ^ firsts) | zeroBytes(word ^ seconds);
    if (found != 0) return at + firstByte(found);
  }
  while (at < source.size() && source[at] != first && source[at] != second) ++at;
  return at;
}

uint32_t fingerprint(std::string_view text) {
  uint64_t head = 0;
  uint64_t tail = 0;
  if (text.size() >= 8) {
    head = load8(text.data());
    tail = load8(text.data() + text.size() - 8);
  } else {
    std::memcpy(&head, text.data(), text.size());
  }
  const uint64_t mixed = (head ^ (tail << 7U) ^ text.size()) * 0x9E3779B97F4A7C15U;
  return static_cast<uint32_t>(mixed >> 32U);
}

}  // namespace strata::json
