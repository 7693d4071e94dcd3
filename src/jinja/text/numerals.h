// Parses numbers as Python's int("...") and float("...") do. Unlike JSON, they accept surrounding
// white space, underscores between digits, and digits of any script.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "jinja/heap.h"
#include "jinja/value.h"

namespace strata::jinja::text {

/// Parses like int(text, base); `base` is 0 or 2 to 36. Returns an absent value for any other text
/// or base, and for one with too many digits.
Value readInteger(Heap& heap, std::string_view text, int64_t base);

/// Parses like float(text), including "inf", "infinity" and "nan". Returns nullopt for anything
/// else.
std::optional<double> readFloat(std::string_view text);

}  // namespace strata::jinja::text
