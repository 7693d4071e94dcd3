// Parses numbers as Python's int("...") and float("...") do. Unlike JSON, they accept surrounding
// white space, underscores between digits, and digits of any script.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strata::jinja::text {

enum class IntegerText : uint8_t { kRead, kNotANumber, kTooLarge };

/// Parses like int(text, base); `base` is 0 or 2 to 36. Returns kTooLarge if the value does not fit
/// 64 bits. Sets `out` only when it returns kRead.
IntegerText readInteger(std::string_view text, int64_t base, int64_t& out);

/// Parses like float(text), including "inf", "infinity" and "nan". Returns nullopt for anything
/// else.
std::optional<double> readFloat(std::string_view text);

}  // namespace strata::jinja::text
