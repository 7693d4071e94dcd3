#include "jinja/lexeme.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/text/characters.h"

namespace strata::jinja {
namespace {

bool isAsciiWord(char c) { return ascii::isAlnum(c) || c == '_'; }

}  // namespace

size_t leadingSpace(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    size_t next = at;
    if (!text::isSpace(decodeUtf8(text, next))) break;
    at = next;
  }
  return at;
}

size_t trailingSpace(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t begin = end - 1;
    while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0U) == 0x80U) --begin;
    size_t at = begin;
    if (!text::isSpace(decodeUtf8(text, at))) break;
    end = begin;
  }
  return text.size() - end;
}

size_t identifierLength(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80U) {
      if (!isAsciiWord(text[at])) break;
      ++at;
      continue;
    }
    size_t next = at;
    const uint32_t c = decodeUtf8(text, next);
    if (!text::isWord(c) && !text::continuesIdentifier(c)) break;
    at = next;
  }
  return at;
}

bool isIdentifier(std::string_view text) {
  size_t at = 0;
  if (text.empty() || !text::startsIdentifier(decodeUtf8(text, at))) return false;
  while (at < text.size()) {
    if (!text::continuesIdentifier(decodeUtf8(text, at))) return false;
  }
  return true;
}

}  // namespace strata::jinja
