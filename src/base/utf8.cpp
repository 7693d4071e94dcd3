#include "base/utf8.h"

#include "base/swar.h"

namespace strata {
namespace {

uint32_t byteAt(std::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }

bool isContinuation(std::string_view text, size_t at) {
  return at < text.size() && (byteAt(text, at) & 0xC0U) == 0x80U;
}

void appendByte(std::string& out, uint32_t byte) { out.push_back(static_cast<char>(byte)); }

}  // namespace

size_t asciiRun(std::string_view text, size_t at) {
  size_t end = at;
  while (end + 8 <= text.size() && (load8(text.data() + end) & kHighBits) == 0) end += 8;
  return end - at;
}

size_t utf8SequenceLength(std::string_view text, size_t at) {
  const uint32_t lead = byteAt(text, at);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !isContinuation(text, at + 1)) return 0;
  if (lead < 0xE0) return 2;
  const uint32_t second = byteAt(text, at + 1);
  if (!isContinuation(text, at + 2)) return 0;
  if (lead < 0xF0) {
    const bool overlong = lead == 0xE0 && second < 0xA0;
    const bool surrogate = lead == 0xED && second >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = lead == 0xF0 && second < 0x90;
  const bool tooHigh = lead == 0xF4 && second >= 0x90;
  return overlong || tooHigh || !isContinuation(text, at + 3) ? 0 : 4;
}

void appendUtf8(std::string& out, uint32_t codePoint) {
  const bool surrogate = codePoint >= 0xD800 && codePoint < 0xE000;
  if (surrogate || codePoint > 0x10FFFF) codePoint = 0xFFFD;
  if (codePoint < 0x80) {
    appendByte(out, codePoint);
  } else if (codePoint < 0x800) {
    appendByte(out, 0xC0U | (codePoint >> 6U));
    appendByte(out, 0x80U | (codePoint & 0x3FU));
  } else if (codePoint < 0x10000) {
    appendByte(out, 0xE0U | (codePoint >> 12U));
    appendByte(out, 0x80U | ((codePoint >> 6U) & 0x3FU));
    appendByte(out, 0x80U | (codePoint & 0x3FU));
  } else {
    appendByte(out, 0xF0U | (codePoint >> 18U));
    appendByte(out, 0x80U | ((codePoint >> 12U) & 0x3FU));
    appendByte(out, 0x80U | ((codePoint >> 6U) & 0x3FU));
    appendByte(out, 0x80U | (codePoint & 0x3FU));
  }
}

uint32_t decodeUtf8(std::string_view text, size_t& at) {
  const uint32_t lead = byteAt(text, at++);
  if (lead < 0x80) return lead;
  int more = 1;
  if (lead >= 0xE0) more = lead >= 0xF0 ? 3 : 2;
  uint32_t codePoint = lead & (0x3FU >> static_cast<unsigned>(more));
  for (; more > 0; --more) codePoint = (codePoint << 6U) | (byteAt(text, at++) & 0x3FU);
  return codePoint;
}

std::string validUtf8(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8SequenceLength(text, at);
    if (length == 0) {
      appendUtf8(out, 0xFFFD);
    } else {
      out.append(text, at, length);
    }
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace strata
