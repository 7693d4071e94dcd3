// Why this file exists: all decisions about white space (trim_blocks, lstrip_blocks, the signs -
// and + of a tag) and about where a tag begins and ends are taken here, once.
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

/// The first thing that is wrong with a template's text.
struct SyntaxFailure {
  std::string message;
  uint32_t offset = 0;
  ErrorKind kind = ErrorKind::kSyntax;
  Limit limit = Limit::kNone;
  bool happened = false;

  /// Keeps the first one only.
  void report(uint32_t at, const char* pattern, std::string_view first = {},
              std::string_view second = {});
};

/// Gives one token after the other, when it is asked, so that of two mistakes the first counts.
class Lexer {
 public:
  /// `heap` takes the strings that had to be unescaped.
  Lexer(std::string_view source, const Options& options, Heap& heap, SyntaxFailure& failure)
      : source_(source), options_(options), heap_(heap), failure_(failure) {}

  /// kEnd at the end and after a failure.
  Token next();

 private:
  enum class Mode : uint8_t { kText, kVariable, kBlock };
  /// What stands before the text that follows a tag or the text before one.
  enum class Sign : uint8_t { kNone, kMinus, kPlus };

  Token nextOfText();
  Token nextOfTag();
  Token openTag(size_t textBegin, size_t tag);
  Token endOfTag(size_t length, Sign sign);
  bool atEndOfTag(Token& token);
  Token readRaw(size_t begin);
  void skipComment(size_t begin);
  size_t matchRaw(size_t at, std::string_view word, Sign& before, Sign& after) const;
  std::string_view stripped(std::string_view text, Sign sign, bool isVariable) const;
  void skipAfter(Sign sign, bool isVariable);
  Sign signAt(size_t at) const;

  Token readNumber();
  Token readName(size_t length);
  Token readString();
  Token readOperator();
  size_t matchFloat() const;
  size_t matchInteger() const;
  size_t matchName() const;
  size_t digits(size_t at) const;
  bool balance(const Token& token);
  bool unescape(std::string_view raw, Value& out);

  Token make(TokenType type, size_t length);
  Token fail(const char* pattern, std::string_view first = {}, std::string_view second = {});
  bool isPongo() const { return options_.dialect == Dialect::kPongo2; }
  char at(size_t position) const { return position < source_.size() ? source_[position] : '\0'; }
  bool starts(size_t position, std::string_view text) const {
    return source_.compare(position, text.size(), text) == 0;
  }

  std::string_view source_;
  const Options& options_;
  Heap& heap_;
  SyntaxFailure& failure_;
  size_t at_ = 0;
  uint32_t last_ = 0;  // where the last token began
  Mode mode_ = Mode::kText;
  Token pending_;  // a tag's opening, after the text before it
  bool hasPending_ = false;
  std::vector<char> open_;  // the closing brackets that are due
};

}  // namespace strata::jinja
