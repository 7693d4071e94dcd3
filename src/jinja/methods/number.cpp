// Implements the methods of int and float that are useful in templates.
#include <cmath>

#include "jinja/long_integer.h"
#include "jinja/methods/tables.h"

namespace strata::jinja {
namespace {

Value bitLength(Call& call) {
  return call.runtime.integer(static_cast<int64_t>(jinja::bitLength(call.runtime.heap, call[0])));
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
