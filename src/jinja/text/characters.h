// Classifies code points as the str methods of CPython 3.11 do (Unicode 14).
#pragma once

#include <cstdint>
#include <string>

namespace strata::jinja::text {

/// str.isspace(): the characters that strip() and split() remove and `\s` matches.
bool isSpace(uint32_t codePoint);
/// The characters at which str.splitlines() ends a line.
bool isLineBreak(uint32_t codePoint);
/// str.isprintable(): the characters that repr() does not escape.
bool isPrintable(uint32_t codePoint);
bool isAlpha(uint32_t codePoint);
bool isAlnum(uint32_t codePoint);
/// The characters that the regular expression `\w` matches.
bool isWord(uint32_t codePoint);
/// The characters that may start and continue a name (XID_Start and XID_Continue).
bool startsIdentifier(uint32_t codePoint);
bool continuesIdentifier(uint32_t codePoint);
/// Returns the value of a decimal digit of any script, as int() reads it, or -1.
int decimalValue(uint32_t codePoint);
/// str.isdigit(): decimal digits, superscripts and similar digits.
bool isDigit(uint32_t codePoint);
bool isUpper(uint32_t codePoint);
bool isLower(uint32_t codePoint);
/// Title case letters: one code point for two letters, the first a capital, such as U+01C5.
bool isTitle(uint32_t codePoint);
bool isCased(uint32_t codePoint);
/// Unicode's Case_Ignorable: skipped when the context of a sigma is examined.
bool isCaseIgnorable(uint32_t codePoint);
/// Appends the escape sequence without its backslash: `x7f`, `u65e5`, `U0001f600`.
void appendEscapeCode(std::string& out, uint32_t codePoint);

}  // namespace strata::jinja::text
