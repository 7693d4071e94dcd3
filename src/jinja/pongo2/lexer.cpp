// Splits a template into tokens, as the functions of pongo2's lexer.go do.
#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "jinja/heap_vector.h"
#include "jinja/pongo2/token.h"

namespace strata::jinja::pongo2 {
namespace {

constexpr std::string_view kSpaces = " \n\r\t";
// A symbol stands behind those that start with it.
constexpr std::array<std::string_view, 34> kSymbols = {
    "{{-", "-}}", "{%-", "-%}", "==", ">=", "<=", "&&", "||", "{{", "}}",
    "{%",  "%}",  "!=",  "<>",  "(",  ")",  "+",  "-",  "*",  "<",  ">",
    "/",   "^",   ",",   ".",   "!",  "|",  ":",  "=",  "%",  "[",  "]"};
constexpr std::array<std::string_view, 8> kKeywords = {"in",   "and",   "or", "not",
                                                       "true", "false", "as", "export"};
constexpr std::string_view kVerbatim = "{% verbatim %}";
constexpr std::string_view kEndVerbatim = "{% endverbatim %}";

bool isWordStart(char c) { return ascii::isLetter(c) || c == '_'; }
bool isWord(char c) { return isWordStart(c) || ascii::isDigit(c); }

class Splitter {
 public:
  Splitter(std::string_view source, Heap& heap, SyntaxFailure& failure)
      : source_(source), heap_(heap), failure_(failure), tokens_(heap) {}

  std::span<Token> run() {
    while (!failure_.happened && readText()) {
    }
    emitText();
    if (verbatim_) fail("verbatim-tag not closed, got EOF.");
    return tokens_.span();
  }

 private:
  bool starts(std::string_view text) const { return source_.compare(at_, text.size(), text) == 0; }
  // pongo2 takes the character U+0001 for the end of the template.
  char peek() const { return at_ < source_.size() ? source_[at_] : '\1'; }
  void fail(const char* message) { failure_.report(static_cast<uint32_t>(at_), message); }

  void emit(TokenKind kind, std::string_view text, bool trims = false) {
    tokens_.add({kind, trims, static_cast<uint32_t>(begin_), text});
    begin_ = at_;
  }
  void emitText() {
    if (at_ > begin_) emit(TokenKind::kText, source_.substr(begin_, at_ - begin_));
  }
  void skip(size_t length) {
    emitText();
    at_ += length;
    begin_ = at_;
  }

  // Reads one character, tag or comment. Returns false at the end.
  bool readText() {
    if (starts(verbatim_ ? kEndVerbatim : kVerbatim)) {
      skip((verbatim_ ? kEndVerbatim : kVerbatim).size());
      verbatim_ = !verbatim_;
    }
    if (!verbatim_ && starts("{#")) return readComment();
    if (!verbatim_ && (starts("{{") || starts("{%"))) {
      emitText();
      while (!failure_.happened && readTagToken()) {
      }
      return true;
    }
    const char c = peek();
    at_ += at_ < source_.size() ? 1 : 0;
    return c != '\1';
  }

  bool readComment() {
    skip(2);
    for (; !starts("#}"); ++at_) {
      if (peek() == '\1') fail("Single-line comment not closed.");
      if (peek() == '\n') fail("Newline not permitted in a single-line comment.");
      if (failure_.happened) return false;
    }
    at_ += 2;
    begin_ = at_;
    return true;
  }

  // Returns false after the end of the tag, or at a character that no token starts with.
  bool readTagToken() {
    const char c = peek();
    if (c != '\1' && kSpaces.find(c) != std::string_view::npos) {
      if (c == '\n') fail("Newline not allowed within tag/variable.");
      begin_ = ++at_;
      return true;
    }
    if (isWord(c)) return readWord();
    if (c == '"' || c == '\'') return readString(c);
    for (const std::string_view symbol : kSymbols) {
      if (symbol.empty() || !starts(symbol)) continue;
      const bool trims = symbol.size() == 3;
      at_ += symbol.size();
      emit(TokenKind::kSymbol, symbol.substr(trims && symbol[0] == '-' ? 1 : 0, trims ? 2 : 3),
           trims);
      return tokens_.back().text != "%}" && tokens_.back().text != "}}";
    }
    return false;
  }

  bool readWord() {
    while (isWord(peek())) ++at_;
    const std::string_view text = source_.substr(begin_, at_ - begin_);
    const bool keyword = std::find(kKeywords.begin(), kKeywords.end(), text) != kKeywords.end();
    const bool number = std::all_of(text.begin(), text.end(), ascii::isDigit);
    emit(keyword ? TokenKind::kKeyword : number ? TokenKind::kNumber : TokenKind::kName, text);
    return true;
  }

  bool readString(char quote) {
    for (++at_; peek() != quote; ++at_) {
      if (peek() == '\\') {
        ++at_;
        if (peek() != '"' && peek() != '\\') fail("Unknown escape sequence");
      }
      if (peek() == '\1') fail("Unexpected EOF, string not closed.");
      if (peek() == '\n') fail("Newline in string is not allowed.");
      if (failure_.happened) return false;
    }
    std::string text;
    for (size_t i = begin_ + 1; i < at_; ++i) {
      if (source_[i] == '\\') ++i;
      text += source_[i];
    }
    ++at_;
    emit(TokenKind::kString, heap_.copy(text));
    return true;
  }

  std::string_view source_;
  Heap& heap_;
  SyntaxFailure& failure_;
  HeapVector<Token> tokens_;
  size_t at_ = 0;
  size_t begin_ = 0;  // of the token that is being read
  bool verbatim_ = false;
};

}  // namespace

std::span<Token> tokenize(std::string_view source, Heap& heap, SyntaxFailure& failure) {
  return Splitter(source, heap, failure).run();
}

}  // namespace strata::jinja::pongo2
