// Splits a template into tokens. All white space control (trim_blocks, lstrip_blocks, the signs `-`
// and `+` of a tag) and the ends of tags are decided here, by the rules of jinja2/lexer.py and
// https://jinja.palletsprojects.com/en/stable/templates/#whitespace-control.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/error.h"
#include "jinja/heap.h"
#include "jinja/options.h"
#include "jinja/token.h"

namespace strata::jinja {

/// The first syntax error of a template.
struct SyntaxFailure {
  std::string message;
  uint32_t offset = 0;
  ErrorKind kind = ErrorKind::kSyntax;
  bool happened = false;

  /// Records an error. Only the first call has an effect.
  void report(uint32_t at, const char* pattern, std::string_view first = {},
              std::string_view second = {});
};

/// Produces tokens on demand, so that the parser's errors and the lexer's errors are reported in
/// source order. `source`, `options`, `heap` and `failure` must outlive the lexer; token texts are
/// views into `source` or `heap`.
class Lexer {
 public:
  /// `heap` stores the strings that contain escapes.
  Lexer(std::string_view source, const Options& options, Heap& heap, SyntaxFailure& failure)
      : source_(source), options_(options), heap_(heap), failure_(failure) {}

  /// Returns the next token; kEnd at the end of the source and after a failure.
  Token next();

 private:
  enum class Mode : uint8_t { kText, kVariable, kBlock };
  /// The white space control sign of a tag: `{%-`, `{%+`, `-%}`.
  enum class Sign : uint8_t { kNone, kMinus, kPlus };

  Token nextTextToken();
  Token nextTagToken();
  Token openTag(size_t textBegin, size_t tag);
  bool matchTagEnd(Token& token);
  Token readRaw(size_t begin);
  void skipComment(size_t begin);
  size_t matchRaw(size_t at, std::string_view word, Sign& before, Sign& after) const;
  std::string_view stripBeforeTag(std::string_view text, Sign sign, bool isVariable) const;
  void skipAfterTag(Sign sign, bool isVariable);
  Sign signAt(size_t at) const;

  Token readNumber();
  Token readInteger();
  Token readName(size_t length);
  Token readString();
  Token readOperator();
  size_t matchFloat() const;
  size_t matchInteger() const;
  size_t matchName() const;
  size_t digits(size_t at) const;
  bool trackBrackets(const Token& token);
  bool unescape(std::string_view raw, Value& out);

  Token make(TokenType type, size_t length);
  Token fail(const char* pattern, std::string_view first = {}, std::string_view second = {});
  char at(size_t position) const { return position < source_.size() ? source_[position] : '\0'; }
  bool starts(size_t position, std::string_view text) const {
    return source_.compare(position, text.size(), text) == 0;
  }

  std::string_view source_;
  const Options& options_;
  Heap& heap_;
  SyntaxFailure& failure_;
  size_t at_ = 0;
  uint32_t last_ = 0;  // offset of the most recent token
  Mode mode_ = Mode::kText;
  Token pending_;  // the start of a tag, returned after the text before it
  bool hasPending_ = false;
  std::vector<char> open_;  // closing brackets that are still expected
};

}  // namespace strata::jinja
