// Classifies and converts letters and digits of ASCII, whatever the locale is.
#pragma once

#include <string>
#include <string_view>

namespace strata::ascii {

inline constexpr char kCaseBit = 'a' - 'A';

inline constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
inline constexpr bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
inline constexpr bool isLower(char c) { return c >= 'a' && c <= 'z'; }
inline constexpr bool isLetter(char c) { return isUpper(c) || isLower(c); }
inline constexpr bool isAlnum(char c) { return isLetter(c) || isDigit(c); }

/// Return the character in the other case if it is a letter of ASCII, else as it is.
inline constexpr char toLower(char c) { return isUpper(c) ? static_cast<char>(c + kCaseBit) : c; }
inline constexpr char toUpper(char c) { return isLower(c) ? static_cast<char>(c - kCaseBit) : c; }

inline std::string lowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = toLower(c);
  return out;
}

inline std::string upperCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = toUpper(c);
  return out;
}

}  // namespace strata::ascii
