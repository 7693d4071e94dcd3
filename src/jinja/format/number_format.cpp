#include "jinja/format/number_format.h"

#include <algorithm>
#include <cmath>

#include "jinja/ops.h"
#include "json/number.h"

namespace strata::jinja {
namespace {

// Returns the digits with a decimal point and `places` digits after it.
std::string formatFixed(const json::Decimal& decimal, int places, bool alternate) {
  std::string out;
  const std::string& digits = decimal.digits;
  const auto digitAt = [&](int index) {
    return index >= 0 && index < static_cast<int>(digits.size()) ? digits[size_t(index)] : '0';
  };
  if (decimal.point <= 0 || digits.empty()) out += '0';
  const int point = digits.empty() ? 0 : decimal.point;
  for (int i = 0; i < point; ++i) out += digitAt(i);
  if (places > 0 || alternate) out += '.';
  for (int i = 0; i < places; ++i) out += digitAt(point + i);
  return out;
}

void appendExponent(std::string& out, int exponent) {
  out += exponent < 0 ? "e-" : "e+";
  if (std::abs(exponent) < 10) out += '0';
  json::appendInteger(out, std::abs(exponent));
}

std::string formatScientific(const json::Decimal& decimal, int places, bool alternate) {
  json::Decimal mantissa = decimal;
  mantissa.point = 1;
  std::string out = formatFixed(mantissa, places, alternate);
  appendExponent(out, decimal.digits.empty() ? 0 : decimal.point - 1);
  return out;
}

void dropTrailingZeros(json::Decimal& decimal) {
  decimal.digits.resize(decimal.digits.find_last_not_of('0') + 1);
}

std::string formatGeneral(double value, int precision, bool alternate) {
  precision = std::max(precision, 1);
  json::Decimal decimal = json::roundToDigits(value, precision);
  const int exponent = decimal.digits.empty() ? 0 : decimal.point - 1;
  if (!alternate) dropTrailingZeros(decimal);
  const int digits = alternate ? precision : std::max<int>(int(decimal.digits.size()), 1);
  if (exponent < -4 || exponent >= precision)
    return formatScientific(decimal, digits - 1, alternate);
  return formatFixed(decimal, std::max(digits - 1 - exponent, 0), alternate);
}

// Groups decimal digits by three and other digits by four. Leading zeros that fill up to `width`
// are grouped as well.
std::string groupDigits(std::string_view digits, const FormatSpec& spec, size_t width) {
  const bool decimal = spec.type != 'x' && spec.type != 'X' && spec.type != 'o' && spec.type != 'b';
  const std::string_view known = decimal ? "0123456789" : "0123456789abcdefABCDEF";
  const size_t size = decimal ? 3 : 4;
  const size_t given = std::min(digits.find_first_not_of(known), digits.size());
  const size_t suffixSize = digits.size() - given;
  size_t whole = given;
  while (whole > 0 && whole + (whole - 1) / size + suffixSize < width) ++whole;
  std::string out;
  for (size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % size == 0) out += spec.grouping;
    out += i < whole - given ? '0' : digits[i - (whole - given)];
  }
  return out.append(digits.substr(given));
}

}  // namespace

std::string formatDouble(double value, char type, int precision, bool alternate) {
  const bool capitals = type >= 'A' && type <= 'Z';
  const char kind = static_cast<char>(type | 0x20);
  value = std::fabs(value);
  std::string out;
  if (std::isnan(value) || std::isinf(value)) {
    out = std::isnan(value) ? "nan" : "inf";
  } else if (kind == 'f') {
    out = formatFixed(json::roundToPlaces(value, precision), precision, alternate);
  } else if (kind == 'e') {
    out = formatScientific(json::roundToDigits(value, precision + 1), precision, alternate);
  } else {
    out = formatGeneral(value, precision, alternate);
  }
  if (!capitals) return out;
  for (char& c : out) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return out;
}

void appendNumber(Text& out, const FormatSpec& spec, bool negative, std::string_view prefix,
                  std::string_view digits) {
  std::string head;
  if (negative) {
    head += '-';
  } else if (spec.sign != 0) {
    head += spec.sign;
  }
  head += prefix;
  FormatSpec outer = spec;
  if (spec.align == 0) outer.align = spec.fill == "0" ? '=' : '>';
  std::string body(digits);
  if (spec.grouping != 0) {
    const bool zeros = outer.align == '=' && spec.fill == "0";
    const auto width = static_cast<size_t>(spec.width);
    body = groupDigits(digits, spec, zeros && width > head.size() ? width - head.size() : 0);
  }
  if (outer.align != '=') {
    appendPadded(out, outer, head + body);
    return;
  }
  const auto size = static_cast<int64_t>(head.size() + body.size());
  out.append(head);
  if (spec.width > size) out.repeat(spec.fill, static_cast<uint64_t>(spec.width - size));
  out.append(body);
}

void appendPadded(Text& out, const FormatSpec& spec, std::string_view text) {
  const auto size = static_cast<int64_t>(codePoints(text));
  const uint64_t missing = spec.width > size ? static_cast<uint64_t>(spec.width - size) : 0;
  uint64_t left = 0;
  if (spec.align == '>') left = missing;
  if (spec.align == '^') left = missing / 2;
  out.repeat(spec.fill, left).append(text).repeat(spec.fill, missing - left);
}

}  // namespace strata::jinja
