// Defines the tokens of a pongo2 template and the function that splits a template into them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/heap.h"
#include "jinja/lexer.h"

namespace strata::jinja::pongo2 {

enum class TokenKind : uint8_t { kText, kKeyword, kName, kString, kNumber, kSymbol };

struct Token {
  TokenKind kind;
  bool trims;  ///< A symbol with a minus that removes the white space next to it.
  uint32_t offset;
  std::string_view text;  ///< Without quotes, escapes and the minus of a symbol.

  bool is(TokenKind wanted, std::string_view spelling) const {
    return kind == wanted && text == spelling;
  }
};

/// Splits `source`, which must outlive the Heap, as pongo2's lexer.go does: tags have no line
/// breaks, strings know the escapes \" and \\, and a character that no token starts with ends the
/// tag. After an error, which `failure` records, the tokens are incomplete.
std::span<Token> tokenize(std::string_view source, Heap& heap, SyntaxFailure& failure);

}  // namespace strata::jinja::pongo2
