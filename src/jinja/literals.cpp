// Lexes names, numbers and strings.
#include <algorithm>
#include <limits>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/lexeme.h"
#include "jinja/lexer.h"
#include "jinja/long_integer.h"
#include "jinja/text/characters.h"
#include "json/number.h"

namespace strata::jinja {
namespace {

std::string withoutUnderscores(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c != '_') out += c;
  }
  return out;
}

char simpleEscape(char c) {
  constexpr std::string_view kLetters = "\\'\"abfnrtv";
  constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
  const size_t at = kLetters.find(c);
  return at == std::string_view::npos ? '\0' : kMeanings[at];
}

}  // namespace

size_t Lexer::matchName() const { return identifierLength(source_.substr(at_)); }

Token Lexer::readName(size_t length) {
  const Token token = make(TokenType::kName, length);
  const auto isAscii = [](char c) { return (c & 0x80) == 0; };
  if (std::all_of(token.text.begin(), token.text.end(), isAscii) || isIdentifier(token.text)) {
    return token;
  }
  at_ = token.offset;
  return fail("Invalid character in identifier");
}

// Returns the offset after the digits at `position`; single underscores may separate digits.
size_t Lexer::digits(size_t position) const {
  size_t end = position;
  while (ascii::isDigit(at(end)) ||
         (at(end) == '_' && end > position && ascii::isDigit(at(end + 1)) && at(end - 1) != '_')) {
    ++end;
  }
  return end;
}

size_t Lexer::matchFloat() const {
  if (at_ > 0 && source_[at_ - 1] == '.') return 0;
  const size_t whole = digits(at_);
  size_t end = whole;
  if (at(end) == '.' && ascii::isDigit(at(end + 1))) end = digits(end + 1);
  if ((at(end) | 0x20) == 'e') {
    const size_t exponent = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0);
    if (ascii::isDigit(at(exponent))) return digits(exponent) - at_;
  }
  return end == whole ? 0 : end - at_;
}

size_t Lexer::matchInteger() const {
  if (at(at_) != '0') return digits(at_) - at_;
  const uint32_t base = baseOfLetter(at(at_ + 1));
  size_t end = at_ + 2;
  while (base != 10 &&
         (digitValue(at(end)) < base || (at(end) == '_' && digitValue(at(end + 1)) < base))) {
    ++end;
  }
  if (end > at_ + 2) return end - at_;
  end = at_ + 1;
  while (at(end) == '0' || (at(end) == '_' && at(end + 1) == '0')) ++end;
  return end - at_;
}

Token Lexer::readNumber() {
  if (const size_t length = matchFloat(); length > 0) {
    Token token = make(TokenType::kFloat, length);
    token.value =
        Value::number(heap_, json::readDouble(withoutUnderscores(token.text)).value_or(0));
    return token;
  }
  return readInteger();
}

Token Lexer::readInteger() {
  Token token = make(TokenType::kInteger, matchInteger());
  const uint32_t base = token.text.size() > 2 ? baseOfLetter(token.text[1]) : 10;
  const std::string_view digits = token.text.substr(base == 10 ? 0 : 2);
  at_ = token.offset;
  if (exceedsMaxDigits(digits, base)) {
    failure_.kind = ErrorKind::kRuntime;
    return fail(kTooManyDigits);
  }
  token.value = integerOfDigits(heap_, digits, base, false);
  const Limit limit = heap_.budget.exceeded();
  if (limit != Limit::kNone) {
    failure_.kind = ErrorKind::kLimit;
    return fail("the template exceeds the limit {}", nameOf(limit));
  }
  at_ += token.text.size();
  return token;
}

Token Lexer::readString() {
  const char quote = source_[at_];
  size_t end = at_ + 1;
  bool escaped = false;
  while (end < source_.size() && source_[end] != quote) {
    escaped = escaped || source_[end] == '\\';
    end += source_[end] == '\\' ? 2 : 1;
  }
  if (end >= source_.size()) return fail("unexpected char '{}'", {&quote, 1});
  Token token = make(TokenType::kString, end + 1 - at_);
  const std::string_view raw = token.text.substr(1, token.text.size() - 2);
  token.value = Value::string(heap_, raw);
  if (escaped && !unescape(raw, token.value)) {
    at_ = token.offset;
    return fail("truncated or malformed escape in a string");
  }
  return token;
}

namespace {

// Decodes \x41, \u0041 or \U00000041. Returns false if digits are missing.
bool hexEscape(std::string_view raw, size_t& at, size_t count, std::string& out) {
  uint32_t code = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t digit = at + i < raw.size() ? digitValue(raw[at + i]) : 99;
    if (digit > 15) return false;
    code = code * 16 + digit;
  }
  at += count;
  if (code > 0x10FFFF) return false;
  appendUtf8(out, code);
  return true;
}

void octalEscape(std::string_view raw, size_t& at, std::string& out) {
  uint32_t code = 0;
  for (size_t i = 0; i < 3 && at < raw.size() && raw[at] >= '0' && raw[at] <= '7'; ++i, ++at) {
    code = code * 8 + static_cast<uint32_t>(raw[at] - '0');
  }
  appendUtf8(out, code);
}

// Decodes the escape after a backslash. Returns false if it is malformed.
bool appendEscape(std::string_view raw, size_t& at, std::string& out) {
  const char c = raw[at];
  if (const char meaning = simpleEscape(c); meaning != '\0') {
    out += meaning;
    ++at;
    return true;
  }
  if (c >= '0' && c <= '7') {
    octalEscape(raw, at, out);
    return true;
  }
  if (c == 'x' || c == 'u' || c == 'U') {
    return hexEscape(raw, ++at, c == 'x' ? 2 : (c == 'u' ? 4 : 8), out);
  }
  if (c == 'N') return false;  // character names would need a large table
  if (c != '\n') out += '\\';
  if (c == '\n') ++at;
  // Jinja2 encodes a literal as ASCII with backslashreplace before it decodes the escapes.
  if ((c & 0x80) != 0) text::appendEscapeCode(out, decodeUtf8(raw, at));
  return true;
}

}  // namespace

bool Lexer::unescape(std::string_view raw, Value& out) {
  std::string text;
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] != '\\') {
      text += raw[at++];
    } else if (!appendEscape(raw, ++at, text)) {
      return false;
    }
  }
  out = Value::string(heap_, heap_.copy(text));
  return true;
}

}  // namespace strata::jinja
