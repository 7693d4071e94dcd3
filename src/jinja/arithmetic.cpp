// Implements the operators + - * / // % ** ~ and the signs.
#include <cmath>
#include <limits>

#include "jinja/long_integer.h"
#include "jinja/ops.h"
#include "jinja/power.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

std::string_view spelling(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kFloorDivide:
      return "//";
    case Operator::kModulo:
      return "%";
    default:
      return "** or pow()";
  }
}

Value unsupported(Runtime& runtime, Operator op, Value left, Value right) {
  return runtime.fail(ErrorKind::kRuntime, "unsupported operand type(s) for {}: '{}' and '{}'",
                      spelling(op), typeName(left), typeName(right));
}

Value divisionByZero(Runtime& runtime, const char* message) {
  return runtime.fail(ErrorKind::kZeroDivision, message);
}

int64_t floorDivide(int64_t left, int64_t right) {
  const int64_t quotient = left / right;
  return quotient * right != left && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

int64_t floorModulo(int64_t left, int64_t right) {
  if (right == -1) return 0;
  const int64_t remainder = left % right;
  return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

// Returns false if a product does not fit. Requires exponent >= 0.
bool integerPower(int64_t base, int64_t exponent, int64_t& out) {
  out = 1;
  while (true) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(out, base, &out)) return false;
    exponent >>= 1;
    if (exponent == 0) return true;
    if (__builtin_mul_overflow(base, base, &base)) return false;
  }
}

// Returns whether the conversion to a double is exact.
bool isExact(int64_t value) {
  constexpr int64_t kLargest = int64_t{1} << 53;
  return value >= -kLargest && value <= kLargest;
}

// Computes a result that fits 64 bits, or leaves it to integerArithmetic().
Value integers(Runtime& runtime, Operator op, Value first, Value second) {
  const int64_t left = first.asInteger();
  const int64_t right = second.asInteger();
  int64_t result = 0;
  bool fits = false;
  switch (op) {
    case Operator::kAdd:
      fits = !__builtin_add_overflow(left, right, &result);
      break;
    case Operator::kSubtract:
      fits = !__builtin_sub_overflow(left, right, &result);
      break;
    case Operator::kMultiply:
      fits = !__builtin_mul_overflow(left, right, &result);
      break;
    case Operator::kDivide:
      if (right == 0 || !isExact(left) || !isExact(right)) break;
      return runtime.number(static_cast<double>(left) / static_cast<double>(right));
    case Operator::kFloorDivide:
      fits = right != 0 && (right != -1 || left != INT64_MIN);
      if (fits) result = floorDivide(left, right);
      break;
    case Operator::kModulo:
      fits = right != 0;
      if (fits) result = floorModulo(left, right);
      break;
    default:
      fits = right >= 0 && integerPower(left, right, result);
  }
  return fits ? runtime.integer(result) : integerArithmetic(runtime, op, first, second);
}

double floorModulo(double left, double right) {
  double remainder = std::fmod(left, right);
  if (remainder == 0) return std::copysign(0.0, right);
  if ((remainder < 0) != (right < 0)) remainder += right;
  return remainder;
}

// Corrects the quotient to fit the remainder, as CPython's float_floor_div does
// (Objects/floatobject.c).
double floorDivide(double left, double right) {
  double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  if (remainder != 0 && (remainder < 0) != (right < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, left / right);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

Value doublePower(Runtime& runtime, double base, double exponent) {
  if (base == 0 && exponent < 0) {
    return divisionByZero(runtime, "0.0 cannot be raised to a negative power");
  }
  const double result = power(base, exponent);
  if (std::isfinite(base) && std::isfinite(exponent)) {
    if (std::isnan(result)) return runtime.fail("complex numbers are not supported");
    if (std::isinf(result)) return runtime.fail("(34, 'Numerical result out of range')");
  }
  return runtime.number(result);
}

Value doubles(Runtime& runtime, Operator op, double left, double right) {
  switch (op) {
    case Operator::kAdd:
      return runtime.number(left + right);
    case Operator::kSubtract:
      return runtime.number(left - right);
    case Operator::kMultiply:
      return runtime.number(left * right);
    case Operator::kDivide:
      if (right == 0) return divisionByZero(runtime, "float division by zero");
      return runtime.number(left / right);
    case Operator::kFloorDivide:
      if (right == 0) return divisionByZero(runtime, "float floor division by zero");
      return runtime.number(floorDivide(left, right));
    case Operator::kModulo:
      if (right == 0) return divisionByZero(runtime, "float modulo");
      return runtime.number(floorModulo(left, right));
    default:
      return doublePower(runtime, left, right);
  }
}

Value addTexts(Runtime& runtime, Value left, Value right) {
  if (left.isSafe() == right.isSafe()) {
    const uint64_t size = left.text().size() + right.text().size();
    if (size > runtime.budget.limits().string) return runtime.limitFailure(Limit::kString);
    if (!runtime.budget.spend(right.text().size() / 64)) return runtime.limitFailure();
    return runtime.string(runtime.heap.join(left.text(), right.text()), left.isSafe());
  }
  const Value a = escape(runtime, left);
  const Value b = a.failed() ? a : escape(runtime, right);
  return b.failed() ? b : addTexts(runtime, a, b);
}

Value addItems(Runtime& runtime, Value left, Value right) {
  const auto a = left.asList().items();
  const auto b = right.asList().items();
  if (!runtime.budget.collection(a.size() + b.size())) return runtime.limitFailure();
  List* sum = runtime.makeList();
  sum->reserve(a.size() + b.size());
  for (const Value item : a) sum->append(item);
  for (const Value item : b) sum->append(item);
  return left.is(Type::kList) ? Value(*sum) : Value::tuple(sum);
}

Value repeat(Runtime& runtime, Value value, int64_t count) {
  const uint64_t times = count > 0 ? static_cast<uint64_t>(count) : 0;
  if (value.isString()) {
    Text out(runtime);
    out.repeat(value.text(), value.text().empty() ? 0 : times);
    return out.take(value.isSafe());
  }
  const auto items = value.asList().items();
  const uint64_t limit = runtime.budget.limits().collection;
  const bool tooMany = !items.empty() && times > limit / items.size();
  const uint64_t size = tooMany ? limit + 1 : items.size() * times;
  if (!runtime.budget.collection(size)) return runtime.limitFailure();
  List* out = runtime.makeList();
  out->reserve(static_cast<size_t>(size));
  for (uint64_t i = 0; i < size; ++i) out->append(items[i % items.size()]);
  return value.is(Type::kList) ? Value(*out) : Value::tuple(out);
}

Value repeat(Runtime& runtime, Value value, Value count) {
  if (!count.isLongInteger()) return repeat(runtime, value, count.asInteger());
  return runtime.fail(kTooLargeIndex);
}

bool isRepeatable(Value value) { return value.isString() || value.isSequence(); }

Value mixed(Runtime& runtime, Operator op, Value left, Value right) {
  if (left.isUndefined() || right.isUndefined()) {
    // A format string accepts undefined arguments.
    if (op != Operator::kModulo || !left.isString()) {
      return runtime.undefinedFailure(left.isUndefined() ? left : right);
    }
  }
  if (op == Operator::kAdd) {
    if (left.isString() && right.isString()) return addTexts(runtime, left, right);
    if (left.isSequence() && left.type() == right.type()) return addItems(runtime, left, right);
    if (left.isString() || left.isSequence()) {
      return runtime.fail(ErrorKind::kRuntime, "can only concatenate {} (not \"{}\") to {}",
                          typeName(left), typeName(right), typeName(left));
    }
  }
  if (op == Operator::kMultiply) {
    if (isRepeatable(left) && right.isAnyInteger()) return repeat(runtime, left, right);
    if (isRepeatable(right) && left.isAnyInteger()) return repeat(runtime, right, left);
  }
  if (op == Operator::kModulo && left.isString()) return formatPercent(runtime, left, right);
  return unsupported(runtime, op, left, right);
}

Value toBool(Tristate result, bool expected = true) {
  if (result == Tristate::kFailed) return Value::failure();
  return Value::boolean((result == Tristate::kYes) == expected);
}

// Returns the text that `~` joins. A string that is Markup stays Markup.
Value plainText(Runtime& runtime, Value value) {
  if (value.isString()) return value;
  return toText(runtime, value);
}

}  // namespace

Value binary(Runtime& runtime, Operator op, Value left, Value right) {
  switch (op) {
    case Operator::kEqual:
      return toBool(equal(runtime, left, right));
    case Operator::kNotEqual:
      return toBool(equal(runtime, left, right), false);
    case Operator::kLess:
    case Operator::kLessEqual:
    case Operator::kGreater:
    case Operator::kGreaterEqual:
      return toBool(order(runtime, op, left, right));
    case Operator::kIn:
      return toBool(contains(runtime, right, left));
    case Operator::kNotIn:
      return toBool(contains(runtime, right, left), false);
    default:
      break;
  }
  if (left.isInteger() && right.isInteger()) {
    return integers(runtime, op, left, right);
  }
  if (!left.isNumber() || !right.isNumber()) return mixed(runtime, op, left, right);
  if (!left.isDouble() && !right.isDouble()) return integerArithmetic(runtime, op, left, right);
  double a = 0;
  double b = 0;
  if (!toDouble(runtime, left, a) || !toDouble(runtime, right, b)) return Value::failure();
  return doubles(runtime, op, a, b);
}

Value negate(Runtime& runtime, Value value) {
  if (value.isAnyInteger()) return binary(runtime, Operator::kSubtract, kZeroCell, value);
  if (value.isDouble()) return runtime.number(-value.asDouble());
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  return runtime.fail("bad operand type for unary -: '{}'", value);
}

Value positive(Runtime& runtime, Value value) {
  if (value.isInteger()) return runtime.integer(value.asInteger());
  if (value.isNumber()) return value;
  if (value.isUndefined()) return runtime.undefinedFailure(value);
  return runtime.fail("bad operand type for unary +: '{}'", value);
}

Value concatenate(Runtime& runtime, Value left, Value right, bool plain) {
  const Value a = plainText(runtime, left);
  if (a.failed()) return a;
  const Value b = plainText(runtime, right);
  if (b.failed()) return b;
  if (runtime.autoescape && !plain) return addTexts(runtime, a, b);
  return addTexts(runtime, runtime.string(a.text()), runtime.string(b.text()));
}

}  // namespace strata::jinja
