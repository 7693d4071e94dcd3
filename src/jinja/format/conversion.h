// Implements the number conversions that `%` and str.format() share.
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/format/number_format.h"
#include "jinja/runtime.h"

namespace strata::jinja {

/// Reads the digits at `text[at]` and advances `at`. Returns 0 if there are none and INT64_MAX if
/// the number is too large.
int64_t readCount(std::string_view text, size_t& at);

/// Converts a number to an integer, truncating toward zero. Fails for other types, nan and
/// infinities.
Value toInteger(Runtime& runtime, Value value);

/// Appends an integer with type d, x, X, o or b. The precision is the minimum number of digits.
/// Returns false after a failure.
bool appendInteger(Runtime& runtime, Text& out, const FormatSpec& spec, Value integer);
/// Appends a number as a float with type e, f, g (6 places by default) or %. Returns false after a
/// failure.
bool appendDouble(Runtime& runtime, Text& out, const FormatSpec& spec, Value number);

/// Returns `text` with all non-ASCII characters escaped as \x, \u or \U.
Value toAscii(Runtime& runtime, Value text);

}  // namespace strata::jinja
