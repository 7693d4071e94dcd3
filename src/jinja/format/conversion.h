// Why this file exists: the conversions that `%` and str.format() share, with their failures.
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/format/number_format.h"
#include "jinja/runtime.h"

namespace strata::jinja {

/// The digits at `text[at]` as a number, 0 where there are none; too many give INT64_MAX.
int64_t readCount(std::string_view text, size_t& at);

/// int(value) of a number, cut towards zero. False after a failure.
bool toInteger(Runtime& runtime, Value value, int64_t& out);

/// Appends by the types d, x, X, o, b, of which precision means the least number of digits.
bool appendInteger(Runtime& runtime, Text& out, const FormatSpec& spec, int64_t value);
/// Appends by the types e, f, g (6 places where no precision is given) and %.
bool appendDouble(Runtime& runtime, Text& out, const FormatSpec& spec, double value);

/// `text` with everything beyond ASCII as \x, \u or \U.
Value toAscii(Runtime& runtime, Value text);

}  // namespace strata::jinja
