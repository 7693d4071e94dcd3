// Implements the text operations that filters and methods share. Each checks the Budget before it
// allocates and returns Value::failure() when a limit is exceeded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/runtime.h"
#include "jinja/text/split.h"

namespace strata::jinja::text {

/// Applies one of the functions of text/case.h to the string `text`. The result is Markup if `text`
/// is.
Value changed(Runtime& runtime, Value text,
              void (*change)(std::string& out, std::string_view text));

/// Pads `text` to `width` code points with `fill` (one code point): on the right for ljust
/// (Side::kRight), on the left for rjust, on both sides for center, with CPython's rounding.
Value pad(Runtime& runtime, Value text, int64_t width, std::string_view fill, Side side);

/// Implements str.replace(). Replaces at most `count` occurrences, or all if `count` is negative.
/// An empty `from` matches before, between and after all code points.
Value replace(Runtime& runtime, std::string_view text, std::string_view from, std::string_view to,
              int64_t count, bool safe);

}  // namespace strata::jinja::text
