#include "gemini/proto_integer.h"

#include "json/number.h"

namespace strata::gemini {
namespace {

// 2^53: larger doubles skip integers. No field of the API needs more.
constexpr double kMaxExact = 9007199254740992.0;

}  // namespace

std::optional<int64_t> protoInteger(json::Value value) {
  if (!value.isNumber() && !value.isString()) return std::nullopt;
  const std::optional<double> number =
      value.isString() ? json::readDouble(value.text()) : json::readDouble(value.bytes());
  if (!number || !(*number >= -kMaxExact && *number <= kMaxExact)) return std::nullopt;
  const auto integer = static_cast<int64_t>(*number);
  return static_cast<double>(integer) == *number ? std::optional(integer) : std::nullopt;
}

}  // namespace strata::gemini
