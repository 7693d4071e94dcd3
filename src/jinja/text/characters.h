// Why this file exists: what Python's str methods know of one code point (CPython 3.11).
#pragma once

#include <cstdint>
#include <string>

namespace strata::jinja::text {

/// str.isspace(); what strip() and split() take away and `\s` matches.
bool isSpace(uint32_t codePoint);
/// Where str.splitlines() ends a line.
bool isLineBreak(uint32_t codePoint);
/// repr() shows it as it is.
bool isPrintable(uint32_t codePoint);
bool isAlpha(uint32_t codePoint);
bool isAlnum(uint32_t codePoint);
/// `\w`
bool isWord(uint32_t codePoint);
/// 0 to 9, or -1: what int() reads.
int decimalValue(uint32_t codePoint);
/// str.isdigit(): decimals, and superscripts and the like.
bool isDigit(uint32_t codePoint);
bool isUpper(uint32_t codePoint);
bool isLower(uint32_t codePoint);
/// Letters that are two, the first a capital: U+01C5.
bool isTitle(uint32_t codePoint);
bool isCased(uint32_t codePoint);
/// Skipped when a sigma looks for its neighbours.
bool isCaseIgnorable(uint32_t codePoint);
/// How an escape writes it behind its backslash: `x7f`, `u65e5`, `U0001f600`.
void appendEscapeCode(std::string& out, uint32_t codePoint);

}  // namespace strata::jinja::text
