#include "base/plain_text.h"

#include <cstdint>

#include "base/utf8.h"

namespace strata {
namespace {

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The property White_Space of https://www.unicode.org/Public/UCD/latest/ucd/PropList.txt.
bool isWhiteSpace(uint32_t c) {
  if (c <= 0x20) return c == 0x20 || (c >= 0x09 && c <= 0x0D);
  if (c == 0x85 || c == 0xA0 || c == 0x1680 || c == 0x3000) return true;
  return (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F;
}

}  // namespace

size_t countCharacters(std::string_view text) {
  size_t count = text.size();
  for (size_t at = asciiRun(text, 0); at < text.size(); at += asciiRun(text, at)) {
    const size_t length = sequenceLength(static_cast<unsigned char>(text[at]));
    at += length;
    count -= length - 1;
  }
  return count;
}

std::string_view firstCharacters(std::string_view text, size_t count) {
  if (text.size() <= count) return text;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (!isContinuation(text[at]) && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string_view trimmedStart(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t next = at;
    if (!isWhiteSpace(decodeUtf8(text, next))) break;
    at = next;
  }
  return text.substr(at);
}

std::string_view trimmedEnd(std::string_view text) {
  while (!text.empty()) {
    size_t last = text.size() - 1;
    while (last > 0 && isContinuation(text[last])) --last;
    size_t at = last;
    if (!isWhiteSpace(decodeUtf8(text, at))) break;
    text = text.substr(0, last);
  }
  return text;
}

std::string_view trimmed(std::string_view text) { return trimmedEnd(trimmedStart(text)); }

std::string normalizeLineEndings(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t end = text.find('\r');
    out.append(text.substr(0, end));
    if (end == std::string_view::npos) break;
    out.push_back('\n');
    const bool isCrLf = end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (isCrLf ? 2 : 1));
  }
  return out;
}

}  // namespace strata
