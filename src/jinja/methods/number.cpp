// Implements the methods of int and float that are useful in templates.
#include <cmath>

#include "jinja/methods/tables.h"

namespace strata::jinja {
namespace {

Value bitLength(Call& call) {
  const int64_t value = call[0].asInteger();
  uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  int64_t bits = 0;
  for (; rest != 0; rest >>= 1U) ++bits;
  return call.runtime.integer(bits);
}

Value isInteger(Call& call) {
  const double value = call[0].asDouble();
  return Value::boolean(std::isfinite(value) && std::trunc(value) == value);
}

constexpr Builtin kIntegerRows[] = {{"bit_length self /", bitLength}};
constexpr Builtin kFloatRows[] = {{"is_integer self /", isInteger}};

}  // namespace

std::span<const Builtin> integerMethods() { return kIntegerRows; }
std::span<const Builtin> floatMethods() { return kFloatRows; }

}  // namespace strata::jinja
