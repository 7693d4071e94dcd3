// Formats numbers for `%` and str.format(), which share width, sign, precision and type
// (https://docs.python.org/3.11/library/string.html#format-specification-mini-language).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

/// A parsed format specification: the part between `%` or `:` and the end of a conversion.
struct FormatSpec {
  std::string_view fill = " ";  ///< One code point.
  /// '<', '>', '^', '=', or 0 if unset: then '=' with the fill "0", and '>' otherwise.
  char align = 0;
  char sign = 0;           ///< '+', ' ', or 0: a sign for negative numbers only.
  char grouping = 0;       ///< ',', '_' or 0.
  bool alternate = false;  ///< '#'
  int64_t width = 0;
  int64_t precision = -1;  ///< -1 if unset.
  char type = 0;           ///< d, x, X, o, b, e, E, f, F, g, G, %, or 0.
};

/// Returns the digits of the absolute value in format e, f or g. Capital types produce INF and 1E5.
std::string formatDouble(double value, char type, int precision, bool alternate);

/// Appends the sign, `prefix` (such as "0x") and `digits` (without a sign), padded to the width.
void appendNumber(Text& out, const FormatSpec& spec, bool negative, std::string_view prefix,
                  std::string_view digits);
/// Appends `text` padded to the width. The default alignment is '<'.
void appendPadded(Text& out, const FormatSpec& spec, std::string_view text);

}  // namespace strata::jinja
