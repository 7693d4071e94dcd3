// Implements filters that compute or format numbers.
#include "json/number.h"

#include <cmath>
#include <string>

#include "jinja/filters/tables.h"
#include "jinja/format/number_format.h"
#include "jinja/ops.h"
#include "jinja/text/numerals.h"

namespace strata::jinja {
namespace {

double powerOfTen(int64_t exponent) {
  std::string text = "1e";
  json::appendInteger(text, exponent);
  return json::readDouble(text).value_or(0);
}

Value abs(Call& call) {
  const Value value = call[0];
  if (value.isLongInteger() && value.text()[0] != '-') return value;
  if (value.isDouble()) return call.runtime.number(std::fabs(value.asDouble()));
  if (!value.isInteger()) {
    return call.runtime.fail("bad operand type for abs(): '{}'", value);
  }
  if (value.asInteger() == INT64_MIN) return call.runtime.limitFailure(Limit::kInteger);
  return call.runtime.integer(std::abs(value.asInteger()));
}

// Returns int(value) of a float, or an absent value for nan, whose ValueError the filter `int`
// handles.
Value toWhole(Runtime& runtime, double value) {
  if (std::isnan(value)) return Value::absent();
  if (std::isinf(value)) return runtime.fail("cannot convert float infinity to integer");
  value = std::trunc(value);
  if (std::fabs(value) < 9223372036854775808.0) return runtime.integer(static_cast<int64_t>(value));
  const Value digits =
      runtime.newString((value < 0 ? "-" : "") + formatDouble(value, 'f', 0, false));
  return digits.failed() ? digits : Value::longInteger(runtime.heap, digits.text());
}

Value integerOfText(Runtime& runtime, std::string_view text, int64_t base) {
  int64_t out = 0;
  switch (text::readInteger(text, base, out)) {
    case text::IntegerText::kRead:
      return runtime.integer(out);
    case text::IntegerText::kTooLarge:
      return runtime.limitFailure(Limit::kInteger);
    default:
      break;
  }
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
  if (value.isInteger()) out = runtime.integer(value.asInteger());
  if (value.isLongInteger()) return value;
  if (value.isDouble()) out = toWhole(runtime, value.asDouble());
  if (value.isString()) out = integerOfText(runtime, value.text(), base);
  if (!out.isAbsent()) return out;
  return call.has(1) ? call[1] : runtime.integer(0);
}

// Returns float(value), or an absent value where Python raises TypeError or ValueError.
Value toFloat(Runtime& runtime, Value value) {
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  if (value.isNumber()) return runtime.number(value.asDouble());
  const auto number = value.isString() ? text::readFloat(value.text()) : std::nullopt;
  return number ? runtime.number(*number) : Value::absent();
}

Value floatFilter(Call& call) {
  const Value out = toFloat(call.runtime, call[0]);
  if (!out.isAbsent()) return out;
  return call.has(1) ? call[1] : call.runtime.number(0);
}

// Rounds an integer to a power of ten; ties round to even.
Value roundInteger(Runtime& runtime, int64_t value, int64_t places) {
  if (places >= 0) return runtime.integer(value);
  if (places < -18) return runtime.integer(0);
  int64_t unit = 1;
  for (; places < 0; ++places) unit *= 10;
  const int64_t rest = value % unit;
  int64_t rounded = value - rest;
  const int64_t twice = std::abs(rest) - (unit - std::abs(rest));
  if (twice > 0 || (twice == 0 && rounded / unit % 2 != 0)) {
    const int64_t step = value < 0 ? -unit : unit;
    if (__builtin_add_overflow(rounded, step, &rounded)) {
      return runtime.limitFailure(Limit::kInteger);
    }
  }
  return runtime.integer(rounded);
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

// Computes func(value * 10 ** places) / 10 ** places.
Value roundTowards(Runtime& runtime, Value value, int64_t places, bool up) {
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  if (!value.isNumber()) {
    return runtime.fail("unsupported operand for round: '{}'", value);
  }
  if (value.isInteger() && places >= 0) return runtime.number(value.asDouble());
  const double power = powerOfTen(places);
  const double scaled = value.asDouble() * power;
  if (!std::isfinite(scaled)) return runtime.fail("cannot convert float to integer");
  // Python's ceil() and floor() return integers, which have no negative zero.
  return runtime.number(((up ? std::ceil(scaled) : std::floor(scaled)) + 0.0) / power);
}

Value round(Call& call) {
  Runtime& runtime = call.runtime;
  std::string_view method = "common";
  int64_t places = 0;
  const bool toInteger = call[1].isNone();
  if (!toInteger && !call.integer(1, places)) return Value::failure();
  if (!call.text(2, method)) return Value::failure();
  if (method != "common" && method != "ceil" && method != "floor") {
    return runtime.fail("method must be common, ceil or floor");
  }
  const Value value = call[0];
  if (value.isLongInteger()) return call.runtime.limitFailure(Limit::kInteger);
  if (method != "common") return roundTowards(runtime, value, places, method == "ceil");
  if (value.isInteger()) return roundInteger(runtime, value.asInteger(), places);
  if (!value.isDouble()) {
    return runtime.fail("type {} doesn't define __round__ method", value);
  }
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
    json::appendInteger(out, static_cast<int64_t>(bytes));
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
    {"int value default? base?", integer},
    {"round value precision? method?", round},
};

}  // namespace

std::span<const Builtin> numberFilters() { return kRows; }

}  // namespace strata::jinja
