// Defines the tokens of the template language.
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
  // From here on in the order of kOperators in lexer.cpp.
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
  std::string_view text;  ///< The content of data and names; the source text of all other tokens.
  Value value;            ///< The value of strings and numbers.

  bool is(TokenType wanted) const { return type == wanted; }
  bool isName(std::string_view name) const { return type == TokenType::kName && text == name; }
};

/// Returns the name that Jinja2's error messages use: "end of print statement", ",", "integer".
std::string_view describe(TokenType type);
/// Returns the text of a name and the type's description for any other token.
std::string_view describe(const Token& token);

}  // namespace strata::jinja
