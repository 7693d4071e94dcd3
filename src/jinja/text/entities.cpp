#include "jinja/text/entities.h"

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"
#include "base/utf8.h"

namespace strata::jinja::text {
namespace {

struct Entity {
  std::string_view name;
  uint32_t codePoint;
  bool semicolonOptional;  // valid without a semicolon
};

constexpr Entity kEntities[] = {
    {"amp", '&', true},       {"lt", '<', true},        {"gt", '>', true},
    {"quot", '"', true},      {"apos", '\'', false},    {"nbsp", 0xA0, true},
    {"copy", 0xA9, true},     {"reg", 0xAE, true},      {"deg", 0xB0, true},
    {"middot", 0xB7, true},   {"laquo", 0xAB, true},    {"raquo", 0xBB, true},
    {"times", 0xD7, true},    {"ndash", 0x2013, false}, {"mdash", 0x2014, false},
    {"lsquo", 0x2018, false}, {"rsquo", 0x2019, false}, {"ldquo", 0x201C, false},
    {"rdquo", 0x201D, false}, {"bull", 0x2022, false},  {"hellip", 0x2026, false},
    {"euro", 0x20AC, false},  {"trade", 0x2122, false}, {"larr", 0x2190, false},
    {"rarr", 0x2192, false},
};

// The characters that HTML assigns to the numeric references 0x80 to 0x9F, from Windows code page
// 1252 (https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state);
// 0 for none.
constexpr uint16_t kWindows1252[] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void appendCodePoint(std::string& out, uint32_t c) {
  if (c >= 0x80 && c < 0xA0 && kWindows1252[c - 0x80] != 0) c = kWindows1252[c - 0x80];
  const bool control = c < 0x20 && c != 0 && c != '\t' && c != '\n' && c != '\f' && c != '\r';
  const bool nonCharacter = (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
  if (control || c == 0x0B || c == 0x7F || (nonCharacter && c <= 0x10FFFF)) return;
  appendUtf8(out, c == 0 ? 0xFFFD : c);
}

// Decodes "#65;" or "#x41;" after the ampersand. Returns its length, or 0 if it is malformed.
size_t appendNumeric(std::string& out, std::string_view text) {
  if (text.size() < 2 || text[0] != '#') return 0;
  const bool hexadecimal = text[1] == 'x' || text[1] == 'X';
  const int base = hexadecimal ? 16 : 10;
  const size_t from = hexadecimal ? 2 : 1;
  size_t at = from;
  uint32_t code = 0;
  for (; at < text.size(); ++at) {
    const int digit = hexValue(text[at]);
    if (digit < 0 || digit >= base) break;
    code = std::min<uint32_t>(code * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit),
                              0x110000);
  }
  if (at == from) return 0;
  appendCodePoint(out, code);
  return at + (at < text.size() && text[at] == ';' ? 1 : 0);
}

// Decodes "amp;" or "amp" after the ampersand. Returns its length, or 0 for a name that is not in
// the table, such as "ltimes;", of which "lt" is no part.
size_t appendNamed(std::string& out, std::string_view text) {
  const size_t length = static_cast<size_t>(
      std::find_if_not(text.begin(), text.end(), ascii::isAlnum) - text.begin());
  const bool closed = length < text.size() && text[length] == ';';
  for (const Entity& entity : kEntities) {
    if (!text.starts_with(entity.name)) continue;
    const size_t size = entity.name.size();
    if (closed ? size != length : !entity.semicolonOptional) continue;
    appendUtf8(out, entity.codePoint);
    return size + (closed ? 1 : 0);
  }
  return 0;
}

}  // namespace

void appendUnescapedHtml(std::string& out, std::string_view text) {
  for (;;) {
    const size_t ampersand = text.find('&');
    out.append(text.substr(0, ampersand));
    if (ampersand == std::string_view::npos) return;
    text.remove_prefix(ampersand + 1);
    size_t read = appendNumeric(out, text);
    if (read == 0) read = appendNamed(out, text);
    if (read == 0) out.push_back('&');
    text.remove_prefix(read);
  }
}

}  // namespace strata::jinja::text
