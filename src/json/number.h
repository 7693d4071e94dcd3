// Why this file exists: numbers are read and written exactly, without strtod and printf, which
// would weigh more in the WebAssembly file than all of this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::json {

/// A number's decimal digits: 0.DIGITS * 10^point. Zero has no digits.
struct Decimal {
  std::string digits;
  int point = 0;
};

/// The fewest digits that read back as `value` (finite; the sign is ignored), the nearest of them
/// where there are several: 0.1 gives {"1", 0}, 25.0 gives {"25", 2}.
Decimal shortestDecimal(double value);

/// The exact value of `value` (finite; the sign is ignored) rounded to `places` digits behind the
/// decimal point, ties to even. Negative places round in front of it. Trailing zeros are kept.
Decimal roundToPlaces(double value, int places);

/// The same, rounded to `count` significant digits (at least 1).
Decimal roundToDigits(double value, int count);

/// The double nearest to what `text` spells, ties to even: an optional sign, digits with at most
/// one point among or around them, an optional exponent. Too large gives infinity, anything else
/// (spaces, "inf") gives nothing.
std::optional<double> readDouble(std::string_view text);

/// Appends `value` in decimal.
void appendInteger(std::string& out, int64_t value);

}  // namespace strata::json
