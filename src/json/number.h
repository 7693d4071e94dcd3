// Converts between doubles and decimal digits exactly, without strtod and printf, which are larger
// in WebAssembly.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::json {

/// The decimal number 0.DIGITS * 10^point. Zero has no digits.
struct Decimal {
  std::string digits;
  int point = 0;
};

/// Returns the fewest digits that read back as `value`, and of several such numbers the nearest:
/// {"1", 0} for 0.1, {"25", 2} for 25.0. Requires a finite value; the sign is ignored. The digits
/// are those of Python's repr (Steele and White, "How to Print Floating-Point Numbers Accurately",
/// 1990).
Decimal shortestDecimal(double value);

/// Returns the exact value of `value` rounded to `places` digits after the decimal point, ties to
/// even. Negative places round before the point. Trailing zeros are kept. Requires a finite value;
/// the sign is ignored.
Decimal roundToPlaces(double value, int places);

/// Like `roundToPlaces`, but rounds to `count` significant digits. Requires count >= 1.
Decimal roundToDigits(double value, int count);

/// Returns the double nearest to the decimal number `text`, ties to even; infinity if it is too
/// large. The text has an optional sign, digits with at most one point, and an optional exponent.
/// Returns nullopt for any other text, such as one with spaces, or "inf".
std::optional<double> readDouble(std::string_view text);

/// Returns `value` as JavaScript's Number::toString writes it, such as 0.1, 100 or 1e+21. Requires
/// a finite value.
std::string decimalText(double value);

/// Appends `value` in decimal.
void appendInteger(std::string& out, int64_t value);

}  // namespace strata::json
