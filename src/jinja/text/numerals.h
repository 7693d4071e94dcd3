// Why this file exists: what int("...") and float("...") read in Python, which is more than JSON's
// numbers: spaces around, underscores between digits, digits of any script.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strata::jinja::text {

enum class IntegerText : uint8_t { kRead, kNotANumber, kTooLarge };

/// int(text, base), base 0 or 2 to 36. Answers kTooLarge where it does not fit 64 bits.
IntegerText readInteger(std::string_view text, int64_t base, int64_t& out);

/// float(text), "inf", "infinity" and "nan" included.
std::optional<double> readFloat(std::string_view text);

}  // namespace strata::jinja::text
