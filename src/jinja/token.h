// Why this file exists: the words of the template language.
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/value.h"

namespace strata::jinja {

enum class TokenType : uint8_t {
  kEnd,
  kData,
  kVariableBegin,
  kVariableEnd,
  kBlockBegin,
  kBlockEnd,
  kName,
  kString,
  kInteger,
  kFloat,
  // From here on the order is that of kOperators in lexer.cpp.
  kFloorDivide,
  kPower,
  kEqual,
  kNotEqual,
  kGreaterEqual,
  kLessEqual,
  kAdd,
  kSubtract,
  kDivide,
  kMultiply,
  kModulo,
  kTilde,
  kLeftBracket,
  kRightBracket,
  kLeftParen,
  kRightParen,
  kLeftBrace,
  kRightBrace,
  kGreater,
  kLess,
  kAssign,
  kDot,
  kColon,
  kPipe,
  kComma,
  kSemicolon,
};

struct Token {
  TokenType type = TokenType::kEnd;
  uint32_t offset = 0;
  std::string_view text;  ///< Of data and names: what it is. Of all else: its spelling.
  Value value;            ///< Of strings and numbers.

  bool is(TokenType wanted) const { return type == wanted; }
  bool isName(std::string_view name) const { return type == TokenType::kName && text == name; }
};

/// As messages call it: "end of print statement", ",", "integer".
std::string_view describe(TokenType type);
/// A name is described by itself.
std::string_view describe(const Token& token);

}  // namespace strata::jinja
