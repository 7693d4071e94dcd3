// Why this file exists: changes of a text that both a filter and a method make, each asking the
// Budget before it grows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/runtime.h"
#include "jinja/text/split.h"

namespace strata::jinja::text {

/// `text`, a string, changed by one of text/case.h; Markup if it was.
Value changed(Runtime& runtime, Value text,
              void (*change)(std::string& out, std::string_view text));

/// `text` widened to `width` code points with `fill` (one code point): at the right for ljust
/// (Side::kRight), at the left for rjust, at both for center as CPython divides it.
Value pad(Runtime& runtime, Value text, int64_t width, std::string_view fill, Side side);

/// str.replace: at most `count` times, all if it is negative. An empty `from` stands between all
/// code points.
Value replace(Runtime& runtime, std::string_view text, std::string_view from, std::string_view to,
              int64_t count, bool safe);

}  // namespace strata::jinja::text
