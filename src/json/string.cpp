#include "json/string.h"

#include "base/swar.h"
#include "base/utf8.h"
#include "json/scan.h"

namespace strata::json {
namespace {

constexpr char kHex[] = "0123456789abcdef";

int32_t hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool isHigh(int32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool isLow(int32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Reads the escape whose "\u" ends at `at`, and advances `at` past it and past a second surrogate.
uint32_t readUnicodeEscape(std::string_view raw, size_t& at) {
  const int32_t high = hexQuad(raw, at);
  at += 4;
  if (!isHigh(high)) return static_cast<uint32_t>(high);
  const bool another = at + 6 <= raw.size() && raw[at] == '\\' && raw[at + 1] == 'u';
  const int32_t low = another ? hexQuad(raw, at + 2) : -1;
  if (!isLow(low)) return 0xFFFD;
  at += 6;
  return 0x10000U + (static_cast<uint32_t>(high - 0xD800) << 10U) +
         static_cast<uint32_t>(low - 0xDC00);
}

char simpleEscape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return c;
  }
}

void appendControl(std::string& out, char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      out += "\\u00";
      out.push_back(kHex[(static_cast<unsigned char>(c) >> 4U) & 15U]);
      out.push_back(kHex[static_cast<unsigned char>(c) & 15U]);
  }
}

bool mustEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Appends text without escapes, such as names and fingerprints. The string grows only once.
void appendPlain(std::string& out, std::string_view text) {
  const size_t at = out.size();
  out.resize(at + text.size() + 2, '"');
  text.copy(&out[at + 1], text.size());
}

// Copies the bytes before the next backslash, eight at a time, and returns their number.
size_t plainRun(std::string_view raw, size_t at, char* to) {
  const char* from = raw.data() + at;
  const size_t remaining = raw.size() - at;
  size_t length = 0;
  for (; length + 8 <= remaining; length += 8) {
    const uint64_t word = load8(from + length);
    if (bytesEqual(word, '\\') != 0) break;
    std::memcpy(to + length, &word, sizeof word);
  }
  for (; length < remaining && from[length] != '\\'; ++length) to[length] = from[length];
  return length;
}

}  // namespace

bool isPlain(std::string_view text) {
  size_t at = skipPlain(text, 0);
  while (at < text.size() && !mustEscape(text[at])) ++at;
  return at == text.size();
}

int32_t hexQuad(std::string_view text, size_t at) {
  if (at + 4 > text.size()) return -1;
  int32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    const int32_t digit = hexDigit(text[at + i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

// An escape sequence is never shorter than its UTF-8 form, so raw.size() bytes are enough.
void appendUnescaped(std::string& out, std::string_view raw) {
  size_t to = out.size();
  out.resize(to + raw.size());
  for (size_t at = 0; at < raw.size();) {
    const size_t run = plainRun(raw, at, &out[to]);
    at += run;
    to += run;
    if (at == raw.size()) break;
    const char c = raw[at + 1];
    at += 2;
    if (c == 'u') {
      std::string decoded;
      appendUtf8(decoded, readUnicodeEscape(raw, at));
      to += decoded.copy(&out[to], decoded.size());
    } else {
      out[to++] = simpleEscape(c);
    }
  }
  out.resize(to);
}

namespace {

// Returns the place of the first escape of a lone surrogate from `at` on, or npos.
size_t findLoneSurrogate(std::string_view raw, size_t at) {
  at = raw.find('\\', at);
  while (at != std::string_view::npos) {
    const size_t escape = at;
    const bool unicode = raw[at + 1] == 'u';
    at += 2;
    if (unicode) {
      const int32_t unit = hexQuad(raw, at);
      if (isLow(unit) || (isHigh(unit) && readUnicodeEscape(raw, at) == 0xFFFD)) return escape;
    }
    at = raw.find('\\', at);
  }
  return at;
}

}  // namespace

bool hasLoneSurrogate(std::string_view raw) {
  return findLoneSurrogate(raw, 0) != std::string_view::npos;
}

std::string replaceLoneSurrogates(std::string_view raw) {
  constexpr std::string_view kReplacement = "\\ufffd";
  std::string out;
  size_t from = 0;
  for (size_t at = findLoneSurrogate(raw, 0); at != std::string_view::npos;
       at = findLoneSurrogate(raw, from)) {
    out.append(raw.substr(from, at - from)).append(kReplacement);
    from = at + kReplacement.size();
  }
  return out.append(raw.substr(from));
}

void appendEscaped(std::string& out, std::string_view text) {
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!mustEscape(c)) continue;
    out.append(text.substr(from, at - from));
    from = at + 1;
    if (c != '"' && c != '\\') {
      appendControl(out, c);
    } else {
      out.push_back('\\');
      out.push_back(c);
    }
  }
  out.append(text.substr(from));
}

void appendQuoted(std::string& out, std::string_view text) {
  if (isPlain(text)) return appendPlain(out, text);
  out.push_back('"');
  appendEscaped(out, text);
  out.push_back('"');
}

}  // namespace strata::json
