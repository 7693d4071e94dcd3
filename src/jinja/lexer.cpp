#include "jinja/lexer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/lexeme.h"

namespace strata::jinja {
namespace {

// Longer operators first.
constexpr std::array<std::string_view, 26> kOperators = {
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
    "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};

}  // namespace

std::string_view describe(TokenType type) {
  constexpr std::array<std::string_view, 10> kNames = {"end of template",
                                                       "template data / text",
                                                       "begin of print statement",
                                                       "end of print statement",
                                                       "begin of statement block",
                                                       "end of statement block",
                                                       "name",
                                                       "string",
                                                       "integer",
                                                       "float"};
  const auto index = static_cast<size_t>(type);
  return index < kNames.size() ? kNames[index] : kOperators[index - kNames.size()];
}

std::string_view describe(const Token& token) {
  return token.is(TokenType::kName) ? token.text : describe(token.type);
}

Token Lexer::make(TokenType type, size_t length) {
  Token token;
  token.type = type;
  token.offset = last_ = static_cast<uint32_t>(at_);
  token.text = source_.substr(at_, length);
  at_ += length;
  return token;
}

void SyntaxFailure::report(uint32_t at, const char* pattern, std::string_view first,
                           std::string_view second) {
  if (happened) return;
  happened = true;
  offset = at;
  message = compose(pattern, first, second);
}

Token Lexer::fail(const char* pattern, std::string_view first, std::string_view second) {
  failure_.report(static_cast<uint32_t>(std::min(at_, source_.size())), pattern, first, second);
  at_ = source_.size();
  Token token;
  token.offset = failure_.offset;
  return token;
}

Token Lexer::next() {
  if (hasPending_) {
    hasPending_ = false;
    last_ = pending_.offset;
    return pending_;
  }
  return mode_ == Mode::kText ? nextTextToken() : nextTagToken();
}

Lexer::Sign Lexer::signAt(size_t position) const {
  const char c = at(position);
  return c == '-' ? Sign::kMinus : (c == '+' ? Sign::kPlus : Sign::kNone);
}

Token Lexer::nextTextToken() {
  while (at_ < source_.size()) {
    const size_t begin = at_;
    size_t tag = source_.find('{', begin);
    while (tag != std::string_view::npos && at(tag + 1) != '{' && at(tag + 1) != '%' &&
           at(tag + 1) != '#') {
      tag = source_.find('{', tag + 1);
    }
    if (tag == std::string_view::npos) return make(TokenType::kData, source_.size() - begin);
    const Token token = openTag(begin, tag);
    if (!token.is(TokenType::kEnd) || failure_.happened) return token;
  }
  Token end;
  end.offset = last_;
  return end;
}

// Returns the text before a tag and queues the start of the tag. Returns kEnd if both are empty.
Token Lexer::openTag(size_t textBegin, size_t tag) {
  const char kind = source_[tag + 1];
  Sign before = signAt(tag + 2);
  Sign after = Sign::kNone;
  const size_t raw = kind == '%' ? matchRaw(tag, "raw", before, after) : 0;
  const std::string_view text =
      stripBeforeTag(source_.substr(textBegin, tag - textBegin), before, kind == '{');
  Token data = make(TokenType::kData, 0);
  data.text = text;
  at_ = tag + 2 + (before == Sign::kNone ? 0 : 1);
  if (kind == '#') {
    skipComment(at_);
  } else if (raw != 0) {
    at_ = raw;
    if (after == Sign::kMinus) at_ += leadingSpace(source_.substr(at_));
    pending_ = readRaw(at_);
    hasPending_ = !pending_.text.empty();
  } else {
    mode_ = kind == '{' ? Mode::kVariable : Mode::kBlock;
    pending_.type = kind == '{' ? TokenType::kVariableBegin : TokenType::kBlockBegin;
    pending_.offset = static_cast<uint32_t>(tag);
    pending_.text = source_.substr(tag, 2);
    hasPending_ = true;
  }
  if (!text.empty()) return data;
  return hasPending_ ? next() : Token{};
}

// Matches `{%- raw -%}` at `begin` and returns the offset after it, or 0. `word` is "raw" or
// "endraw".
size_t Lexer::matchRaw(size_t begin, std::string_view word, Sign& before, Sign& after) const {
  const Sign sign = signAt(begin + 2);
  size_t end = begin + 2 + (sign == Sign::kNone ? 0 : 1);
  end += leadingSpace(source_.substr(std::min(end, source_.size())));
  if (!starts(end, word)) return 0;
  end += word.size();
  end += leadingSpace(source_.substr(end));
  after = signAt(end);
  if (after == Sign::kPlus && word.substr(0, 3) != "end") return 0;
  if (after != Sign::kNone) ++end;
  if (!starts(end, "%}")) return 0;
  before = sign;
  return end + 2;
}

Token Lexer::readRaw(size_t begin) {
  for (size_t tag = source_.find("{%", begin); tag != std::string_view::npos;
       tag = source_.find("{%", tag + 1)) {
    Sign before = Sign::kNone;
    Sign after = Sign::kNone;
    const size_t end = matchRaw(tag, "endraw", before, after);
    if (end == 0) continue;
    Token data = make(TokenType::kData, 0);
    data.text = stripBeforeTag(source_.substr(begin, tag - begin), before, false);
    at_ = end;
    skipAfterTag(after, false);
    return data;
  }
  if (begin < source_.size()) return fail("Missing end of raw directive");
  return Token{};
}

void Lexer::skipComment(size_t begin) {
  const size_t end = source_.find("#}", begin);
  if (end == std::string_view::npos) {
    if (begin < source_.size()) fail("Missing end of comment tag");
    return;
  }
  at_ = end + 2;
  skipAfterTag(end > begin ? signAt(end - 1) : Sign::kNone, false);
}

// Returns the part of the text before a tag that white space control keeps.
std::string_view Lexer::stripBeforeTag(std::string_view text, Sign sign, bool isVariable) const {
  if (sign == Sign::kMinus) return text.substr(0, text.size() - trailingSpace(text));
  if (sign == Sign::kPlus || !options_.lstripBlocks || isVariable) return text;
  const auto begin = static_cast<size_t>(text.data() - source_.data());
  const size_t line = text.rfind('\n') + 1;
  if (line == 0 && begin > 0 && source_[begin - 1] != '\n') return text;
  const std::string_view indent = text.substr(line);
  return trailingSpace(indent) == indent.size() ? text.substr(0, line) : text;
}

// Skips the white space after a tag that white space control removes.
void Lexer::skipAfterTag(Sign sign, bool isVariable) {
  if (sign == Sign::kMinus) {
    at_ += leadingSpace(source_.substr(at_));
  } else if (sign == Sign::kNone && options_.trimBlocks && !isVariable && at(at_) == '\n') {
    ++at_;
  }
}

bool Lexer::matchTagEnd(Token& token) {
  if (!open_.empty()) return false;
  const bool isVariable = mode_ == Mode::kVariable;
  Sign sign = signAt(at_);
  if (isVariable && sign == Sign::kPlus) sign = Sign::kNone;
  const size_t length = sign == Sign::kNone ? 0 : 1;
  if (!starts(at_ + length, isVariable ? "}}" : "%}")) return false;
  token = make(isVariable ? TokenType::kVariableEnd : TokenType::kBlockEnd, length + 2);
  mode_ = Mode::kText;
  skipAfterTag(sign, isVariable);
  return true;
}

Token Lexer::nextTagToken() {
  Token token;
  if (at_ < source_.size() && matchTagEnd(token)) return token;
  const size_t space = leadingSpace(source_.substr(at_));
  at_ += space;
  if (space > 0 && at_ < source_.size() && matchTagEnd(token)) return token;
  if (at_ >= source_.size()) {
    token.offset = last_;
    return token;
  }
  if (ascii::isDigit(source_[at_])) return readNumber();
  if (const size_t length = matchName(); length > 0) return readName(length);
  if (source_[at_] == '\'' || source_[at_] == '"') return readString();
  return readOperator();
}

Token Lexer::readOperator() {
  for (size_t i = 0; i < kOperators.size(); ++i) {
    if (!starts(at_, kOperators[i])) continue;
    const Token token =
        make(static_cast<TokenType>(i + static_cast<size_t>(TokenType::kFloorDivide)),
             kOperators[i].size());
    return trackBrackets(token) ? token : Token{TokenType::kEnd, failure_.offset, {}, {}};
  }
  size_t end = at_;
  decodeUtf8(source_, end);
  return fail("unexpected char '{}'", source_.substr(at_, end - at_));
}

// Tracks brackets, because a tag cannot end inside them.
bool Lexer::trackBrackets(const Token& token) {
  switch (token.type) {
    case TokenType::kLeftBrace:
      open_.push_back('}');
      return true;
    case TokenType::kLeftParen:
      open_.push_back(')');
      return true;
    case TokenType::kLeftBracket:
      open_.push_back(']');
      return true;
    case TokenType::kRightBrace:
    case TokenType::kRightParen:
    case TokenType::kRightBracket:
      break;
    default:
      return true;
  }
  const char expected = open_.empty() ? '\0' : open_.back();
  if (expected == token.text.front()) {
    open_.pop_back();
    return true;
  }
  at_ = token.offset;
  const std::string_view wanted(&expected, expected == '\0' ? 0 : 1);
  fail(wanted.empty() ? "unexpected '{}'" : "unexpected '{}', expected '{}'", token.text, wanted);
  return false;
}

}  // namespace strata::jinja
