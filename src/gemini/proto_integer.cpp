#include "gemini/proto_integer.h"

#include "json/number.h"

namespace strata::gemini {
namespace {

// Above it a double skips integers; no field of the API goes so far.
constexpr double kMost = 9007199254740992.0;

}  // namespace

std::optional<int64_t> protoInteger(json::Value value) {
  if (!value.isNumber() && !value.isString()) return std::nullopt;
  const std::optional<double> number =
      value.isString() ? json::readDouble(value.text()) : json::readDouble(value.bytes());
  if (!number || !(*number >= -kMost && *number <= kMost)) return std::nullopt;
  const auto integer = static_cast<int64_t>(*number);
  return static_cast<double>(integer) == *number ? std::optional(integer) : std::nullopt;
}

}  // namespace strata::gemini
