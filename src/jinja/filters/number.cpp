// Implements filters that compute or format numbers.
#include "json/number.h"

#include <cmath>
#include <string>

#include "jinja/filters/tables.h"
#include "jinja/format/number_format.h"
#include "jinja/long_integer.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/numerals.h"

namespace strata::jinja {
namespace {

Value abs(Call& call) {
  const Value value = call[0];
  if (value.isDouble()) return call.runtime.number(std::fabs(value.asDouble()));
  if (!value.isNumber()) {
    return call.runtime.fail("bad operand type for abs(): '{}'", value);
  }
  return isNegative(value) ? negate(call.runtime, value) : positive(call.runtime, value);
}

// Returns int(value) of a float, or an absent value for nan, whose ValueError the filter `int`
// handles.
Value toWhole(Runtime& runtime, double value) {
  if (std::isnan(value)) return Value::absent();
  if (std::isinf(value)) return runtime.fail("cannot convert float infinity to integer");
  return integerOfDouble(runtime.heap, value);
}

Value integerOfText(Runtime& runtime, std::string_view text, int64_t base) {
  const Value integer = text::readInteger(runtime.heap, text, base);
  if (!integer.isAbsent()) return integer;
  const auto number = text::readFloat(text);
  return number ? toWhole(runtime, *number) : Value::absent();
}

Value integer(Call& call) {
  Runtime& runtime = call.runtime;
  // Python's int() rejects any other base, and the filter then reads the text as a float.
  constexpr int64_t kInvalidBase = 1;
  int64_t base = 10;
  if (call.has(2)) base = call[2].isInteger() ? call[2].asInteger() : kInvalidBase;
  const Value value = call[0];
  Value out = Value::absent();
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  if (value.isNumber()) out = positive(runtime, value);
  if (value.isDouble()) out = toWhole(runtime, value.asDouble());
  if (value.isString()) out = integerOfText(runtime, value.text(), base);
  if (!out.isAbsent()) return out;
  return call.has(1) ? call[1] : runtime.integer(0);
}

// Returns float(value), or an absent value where Python raises TypeError or ValueError.
Value toFloat(Runtime& runtime, Value value) {
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  if (value.isNumber()) {
    double number = 0;
    return toDouble(runtime, value, number) ? runtime.number(number) : Value::failure();
  }
  if (!runtime.canExamine(value)) return Value::failure();
  const auto number = value.isString() ? text::readFloat(value.text()) : std::nullopt;
  return number ? runtime.number(*number) : Value::absent();
}

Value floatFilter(Call& call) {
  const Value out = toFloat(call.runtime, call[0]);
  if (!out.isAbsent()) return out;
  return call.has(1) ? call[1] : call.runtime.number(0);
}

// Rounds an integer to a multiple of 10^-places; ties round to the even multiple.
Value roundInteger(Runtime& runtime, Value value, int64_t places) {
  if (places >= 0) return value;
  // Less than half of the unit.
  if (places < -static_cast<int64_t>(bitLength(runtime.heap, value)) / 3 - 2)
    return runtime.integer(0);
  const auto compute = [&](Operator op, Value left, Value right) {
    return left.failed() || right.failed() ? Value::failure() : binary(runtime, op, left, right);
  };
  const Value unit = compute(Operator::kPower, runtime.integer(10), runtime.integer(-places));
  const Value rest = compute(Operator::kModulo, value, unit);
  const Value down = compute(Operator::kSubtract, value, rest);
  const Value twice = compute(Operator::kAdd, rest, rest);
  const Value multiple = compute(Operator::kFloorDivide, down, unit);
  const Value odd = compute(Operator::kModulo, multiple, runtime.integer(2));
  if (odd.failed() || twice.failed()) return Value::failure();
  const int order = compareNumbers(twice, unit);
  const bool up = order > 0 || (order == 0 && odd.asInteger() == 1);
  return up ? compute(Operator::kAdd, down, unit) : down;
}

double roundDouble(double value, int64_t places) {
  constexpr int64_t kMaxPlaces = 323;
  constexpr int64_t kMinPlaces = -308;
  if (!std::isfinite(value) || places > kMaxPlaces) return value;
  if (places < kMinPlaces) return std::copysign(0.0, value);
  const json::Decimal decimal = json::roundToPlaces(value, static_cast<int>(places));
  std::string text = "0" + decimal.digits + "e";
  json::appendInteger(text, decimal.point - static_cast<int64_t>(decimal.digits.size()));
  return std::copysign(json::readDouble(text).value_or(0), value);
}

// Computes func(value * 10 ** places) / 10 ** places, where `places` may be any number.
Value roundTowards(Runtime& runtime, Value value, Value places, bool up) {
  const Value power = binary(runtime, Operator::kPower, runtime.integer(10), places);
  if (power.failed()) return power;
  const Value scaled = binary(runtime, Operator::kMultiply, value, power);
  if (scaled.failed()) return scaled;
  if (!scaled.isNumber()) return runtime.fail("must be real number, not {}", scaled);
  if (!scaled.isDouble()) return binary(runtime, Operator::kDivide, scaled, power);
  const double number = scaled.asDouble();
  const Value whole = toWhole(runtime, up ? std::ceil(number) : std::floor(number));
  if (whole.isAbsent()) return runtime.fail("cannot convert float NaN to integer");
  return whole.failed() ? whole : binary(runtime, Operator::kDivide, whole, power);
}

Value round(Call& call) {
  Runtime& runtime = call.runtime;
  std::string_view method = "common";
  int64_t places = 0;
  if (!call.text(2, method)) return Value::failure();
  if (method != "common" && method != "ceil" && method != "floor") {
    return runtime.fail("method must be common, ceil or floor");
  }
  const Value value = call[0];
  if (method != "common") {
    const Value precision = call.has(1) ? call[1] : runtime.integer(0);
    return roundTowards(runtime, value, precision, method == "ceil");
  }
  const bool toInteger = call[1].isNone();
  if (!toInteger && !call.clampedInteger(1, places)) return Value::failure();
  if (!value.isNumber()) {
    return runtime.fail("type {} doesn't define __round__ method", value);
  }
  if (!value.isDouble()) return roundInteger(runtime, positive(runtime, value), places);
  const double rounded = roundDouble(value.asDouble(), places);
  if (!toInteger) return runtime.number(rounded);
  const Value out = toWhole(runtime, rounded);
  return out.isAbsent() ? runtime.fail("cannot convert float NaN to integer") : out;
}

Value filesizeformat(Call& call) {
  bool binary = false;
  if (!call.truth(1, binary)) return Value::failure();
  const Value size = toFloat(call.runtime, call[0]);
  if (size.failed()) return size;
  if (size.isAbsent()) return call.runtime.fail("could not convert to float");
  const double bytes = size.asDouble();
  const double base = binary ? 1024 : 1000;
  std::string out;
  if (bytes == 1) return call.runtime.string("1 Byte");
  if (bytes < base) {
    const Value whole = toWhole(call.runtime, bytes);
    if (whole.failed() || !appendNumber(call.runtime, out, whole)) return Value::failure();
    return call.runtime.newString(out + " Bytes");
  }
  constexpr std::string_view kPrefixes = "kMGTPEZY";
  double unit = base * base;
  size_t at = 0;
  for (; at + 1 < kPrefixes.size() && !(bytes < unit); ++at) unit *= base;
  out = formatDouble(base * bytes / unit, 'f', 1, false);
  out += ' ';
  out += binary && at == 0 ? 'K' : kPrefixes[at];
  return call.runtime.newString(out + (binary ? "iB" : "B"));
}

constexpr Builtin kRows[] = {
    {"abs x /", abs},
    {"filesizeformat value binary?", filesizeformat},
    {"float value default?", floatFilter},
    {"int value default? base?", reading<integer>},
    {"round value precision? method?", round},
};

}  // namespace

std::span<const Builtin> numberFilters() { return kRows; }

}  // namespace strata::jinja
