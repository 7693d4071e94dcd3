#include "jinja/text/numerals.h"

#include <limits>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/long_integer.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"
#include "json/number.h"

namespace strata::jinja::text {
namespace {

// Returns the stripped text in lower case, with digits of all scripts as ASCII digits.
std::string normalized(std::string_view text) {
  std::string out;
  text = strip(text);
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = decodeUtf8(text, at);
    const int digit = decimalValue(c);
    if (digit >= 0) {
      out.push_back(static_cast<char>('0' + digit));
    } else if (c < 0x80) {
      out.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
    } else {
      out.push_back('?');
    }
  }
  return out;
}

// Returns the base that the start of a number names, or 10.
uint32_t baseOfPrefix(std::string_view digits) {
  return digits.size() > 1 && digits[0] == '0' ? baseOfLetter(digits[1]) : 10;
}

// Returns whether the text consists of digits; a single underscore may follow each but the last.
bool areDigits(std::string_view text, uint32_t base) {
  bool afterDigit = false;
  for (const char c : text) {
    const bool separates = c == '_' && afterDigit;
    if (!separates && digitValue(c) >= base) return false;
    afterDigit = !separates;
  }
  return afterDigit;
}

// Removes underscores. Returns false if one is not between two digits.
bool dropUnderscores(std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out.push_back(text[i]);
    } else if (i == 0 || i + 1 == text.size() || !ascii::isDigit(text[i - 1]) ||
               !ascii::isDigit(text[i + 1])) {
      return false;
    }
  }
  text = out;
  return true;
}

}  // namespace

Value readInteger(Heap& heap, std::string_view text, int64_t base) {
  if (base != 0 && (base < 2 || base > 36)) return Value::absent();
  const std::string spelled = normalized(text);
  std::string_view digits = spelled;
  bool negative = false;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  const uint32_t prefix = baseOfPrefix(digits);
  const bool anyBase = base == 0;
  if (prefix != 10 && (anyBase || base == prefix)) {
    digits.remove_prefix(2);
    if (!digits.empty() && digits[0] == '_') digits.remove_prefix(1);
    base = prefix;
  } else if (anyBase) {
    const bool leadingZero = !digits.empty() && digits[0] == '0';
    if (leadingZero && digits.find_first_not_of("0_") != std::string_view::npos) {
      return Value::absent();
    }
    base = 10;
  }
  const auto radix = static_cast<uint32_t>(base);
  if (!areDigits(digits, radix) || exceedsMaxDigits(digits, radix)) return Value::absent();
  return integerOfDigits(heap, digits, radix, negative);
}

std::optional<double> readFloat(std::string_view text) {
  std::string spelled = normalized(text);
  if (!dropUnderscores(spelled)) return std::nullopt;
  std::string_view name = spelled;
  bool negative = false;
  if (!name.empty() && (name[0] == '+' || name[0] == '-')) {
    negative = name[0] == '-';
    name.remove_prefix(1);
  }
  double special = 0;
  if (name == "inf" || name == "infinity") special = std::numeric_limits<double>::infinity();
  if (name == "nan") special = std::numeric_limits<double>::quiet_NaN();
  if (special != 0) return negative ? -special : special;
  return json::readDouble(spelled);
}

}  // namespace strata::jinja::text
