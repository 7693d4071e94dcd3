// Why this file exists: Python prints numbers through two little languages, `%` and str.format(),
// which mean the same by width, sign, precision and type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja {

/// What stands between `%` or `:` and the end of a conversion.
struct FormatSpec {
  std::string_view fill = " ";  ///< One code point.
  char align =
      0;          ///< '<', '>', '^', '=', or 0 where none was given: '=' with the fill 0, else '>'.
  char sign = 0;  ///< '+', ' ', or 0: only for negative numbers.
  char grouping = 0;       ///< ',', '_' or 0.
  bool alternate = false;  ///< '#'
  int64_t width = 0;
  int64_t precision = -1;  ///< -1 where none was given.
  char type = 0;           ///< d, x, X, o, b, e, E, f, F, g, G, %, or 0.
};

/// The digits of `value`'s magnitude as the type e, f or g writes them; capitals make INF and 1E5.
std::string formatDouble(double value, char type, int precision, bool alternate);
/// The digits of `value` in base 2, 8, 10 or 16.
std::string formatMagnitude(uint64_t value, unsigned base);

/// Appends a number with `digits` (no sign): sign, `prefix` such as "0x", padding up to the width.
void appendNumber(Text& out, const FormatSpec& spec, bool negative, std::string_view prefix,
                  std::string_view digits);
/// Appends `text` padded to the width; `align` '<' where the spec has none.
void appendPadded(Text& out, const FormatSpec& spec, std::string_view text);

}  // namespace strata::jinja
