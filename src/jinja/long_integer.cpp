#include "jinja/long_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "jinja/power.h"

namespace strata::jinja {
namespace {

// The sign and the magnitude of any integer. It refers to itself, so it is not copied.
class Operand {
 public:
  explicit Operand(Value value) {
    if (value.isLongInteger()) {
      const LongInteger& cell = value.asLong();
      negative = cell.flag;
      limbs = {cell.limbs(), cell.size};
      return;
    }
    const int64_t integer = value.asInteger();
    negative = integer < 0;
    const uint64_t magnitude =
        negative ? 0 - static_cast<uint64_t>(integer) : static_cast<uint64_t>(integer);
    small_[0] = static_cast<uint32_t>(magnitude);
    small_[1] = static_cast<uint32_t>(magnitude >> 32U);
    limbs = trimmed(small_);
  }
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  Limbs limbs;
  bool negative;

 private:
  uint32_t small_[2];
};

// The number of limb operations that cost one fuel.
constexpr uint64_t kOperationsPerFuel = 64;

bool spend(Budget& budget, uint64_t left, uint64_t right) {
  return budget.spend(left * right / kOperationsPerFuel);
}

LongInteger& makeLong(Heap& heap, size_t limbs, bool negative = false) {
  void* place = heap.allocate(sizeof(LongInteger) + limbs * sizeof(uint32_t));
  return *new (place) LongInteger(negative, static_cast<uint32_t>(limbs));
}

LongInteger& copyOf(Heap& heap, Limbs limbs, size_t zerosBelow, size_t size) {
  LongInteger& copy = makeLong(heap, size);
  std::fill_n(copy.limbs(), size, 0U);
  std::copy(limbs.begin(), limbs.end(), copy.limbs() + zerosBelow);
  return copy;
}

std::span<uint32_t> spanOf(LongInteger& integer) { return {integer.limbs(), integer.size}; }

// Removes leading zeros. Returns a plain integer if the value fits.
Value normalized(Heap& heap, LongInteger& integer) {
  const Limbs limbs = trimmed(spanOf(integer));
  integer.size = static_cast<uint32_t>(limbs.size());
  if (limbs.size() > 2) return integer;
  uint64_t magnitude = 0;
  for (size_t i = limbs.size(); i-- > 0;) magnitude = magnitude << 32U | limbs[i];
  const uint64_t limit = (uint64_t{1} << 63U) - (integer.flag ? 0 : 1);
  if (magnitude > limit) return integer;
  return Value::integer(heap, static_cast<int64_t>(integer.flag ? 0 - magnitude : magnitude));
}

Value sum(Runtime& runtime, const Operand& left, const Operand& right, bool rightNegative) {
  const bool isLeftLarger = compareLimbs(left.limbs, right.limbs) >= 0;
  const Limbs larger = isLeftLarger ? left.limbs : right.limbs;
  const Limbs smaller = isLeftLarger ? right.limbs : left.limbs;
  if (!spend(runtime.budget, larger.size(), 1)) return runtime.limitFailure();
  LongInteger& out = makeLong(runtime.heap, larger.size() + 1);
  out.flag = isLeftLarger ? left.negative : rightNegative;
  if (left.negative == rightNegative) {
    addLimbs(out.limbs(), larger, smaller);
  } else {
    subtractLimbs(out.limbs(), larger, smaller);
    out.limbs()[larger.size()] = 0;
  }
  return normalized(runtime.heap, out);
}

Value product(Runtime& runtime, const Operand& left, const Operand& right) {
  if (!spend(runtime.budget, left.limbs.size(), right.limbs.size())) return runtime.limitFailure();
  LongInteger& out = makeLong(runtime.heap, left.limbs.size() + right.limbs.size());
  out.flag = left.negative != right.negative;
  multiplyLimbs(out.limbs(), left.limbs, right.limbs);
  return normalized(runtime.heap, out);
}

// The quotient of two magnitudes, with one more limb than needed, and the remainder.
struct Division {
  LongInteger* quotient = nullptr;
  LongInteger* rest = nullptr;
};

// Divides left * 2^(32 * zerosBelow) by `right`, which is not zero. Returns false after a failure.
bool divide(Runtime& runtime, Limbs left, size_t zerosBelow, Limbs right, Division& out) {
  const size_t size = std::max(left.size() + zerosBelow, right.size()) + 1;
  const size_t quotientSize = size - right.size();
  if (!spend(runtime.budget, quotientSize, right.size())) {
    runtime.limitFailure();
    return false;
  }
  out.rest = &copyOf(runtime.heap, left, zerosBelow, size);
  out.quotient = &makeLong(runtime.heap, quotientSize + 1);
  out.quotient->limbs()[quotientSize] = 0;
  LongInteger& divisor = copyOf(runtime.heap, right, 0, right.size());
  divideLimbs(out.quotient->limbs(), spanOf(*out.rest), spanOf(divisor));
  return true;
}

// Rounds the quotient down, as Python does; the remainder has the sign of the divisor.
Value floorDivision(Runtime& runtime, const Operand& left, const Operand& right, bool wantsRest) {
  Division result;
  if (!divide(runtime, left.limbs, 0, right.limbs, result)) return Value::failure();
  LongInteger& quotient = *result.quotient;
  LongInteger& rest = *result.rest;
  quotient.flag = left.negative != right.negative;
  rest.flag = right.negative;
  const Limbs remainder = trimmed(spanOf(rest));
  if (quotient.flag && !remainder.empty()) {
    multiplyAdd(spanOf(quotient), 1, 1);
    subtractLimbs(rest.limbs(), right.limbs, remainder);
  }
  return normalized(runtime.heap, wantsRest ? rest : quotient);
}

// Returns the double nearest to the exact quotient.
Value trueDivision(Runtime& runtime, const Operand& left, const Operand& right) {
  const auto size = static_cast<int64_t>(bitLength(left.limbs) - bitLength(right.limbs));
  double quotient = 0;
  if (size > 1024) {
    quotient = HUGE_VAL;
  } else if (!left.limbs.empty() && size > -1100) {
    // At least 64 bits of the quotient decide the rounding.
    const size_t zeros = static_cast<size_t>(std::max<int64_t>(65 + 31 - size, 0)) / 32;
    Division result;
    if (!divide(runtime, left.limbs, zeros, right.limbs, result)) return Value::failure();
    const bool more = !trimmed(spanOf(*result.rest)).empty();
    quotient = toDouble(trimmed(spanOf(*result.quotient)), -32 * static_cast<int64_t>(zeros), more);
  }
  if (std::isinf(quotient)) {
    return runtime.fail("integer division result too large for a float");
  }
  return runtime.number(left.negative != right.negative ? -quotient : quotient);
}

// Returns whether the Budget allows a power of about `limbs` limbs, whose last step is a square.
bool canSpendPower(Budget& budget, uint64_t limbs) {
  const uint64_t half = std::min<uint64_t>(limbs, UINT32_MAX) / 2;
  return half * half / kOperationsPerFuel <= budget.fuelLeft() || budget.exceed(Limit::kFuel);
}

Value negativePower(Runtime& runtime, Value base, Value exponent) {
  double a = 0;
  double b = 0;
  if (!toDouble(runtime, base, a) || !toDouble(runtime, exponent, b)) return Value::failure();
  if (a != 0) return runtime.number(power(a, b));
  return runtime.fail(ErrorKind::kZeroDivision, "0.0 cannot be raised to a negative power");
}

Value integerPower(Runtime& runtime, Value base, Value exponent) {
  if (isNegative(exponent)) return negativePower(runtime, base, exponent);
  const Operand times(exponent);
  const bool isOdd = !times.limbs.empty() && (times.limbs[0] & 1U) != 0;
  const uint64_t baseBits = bitLength(base);
  // 0, 1 and -1
  if (baseBits <= 1 && !times.limbs.empty()) {
    if (baseBits == 0 || isOdd) return runtime.integer(base.asInteger());
    return runtime.integer(1);
  }
  uint64_t bits = UINT64_MAX;
  const bool isLong =
      exponent.isLongInteger() ||
      __builtin_mul_overflow(baseBits, static_cast<uint64_t>(exponent.asInteger()), &bits);
  if (!canSpendPower(runtime.budget, isLong ? UINT64_MAX : bits / 32))
    return runtime.limitFailure();
  Value result = runtime.integer(1);
  for (uint64_t at = bitLength(times.limbs); at-- > 0 && !result.failed();) {
    const Operand before(result);
    result = product(runtime, before, before);
    if (result.failed() || (times.limbs[at / 32] >> (at % 32) & 1U) == 0) continue;
    result = product(runtime, Operand(result), Operand(base));
  }
  return result;
}

int compareIntegers(Value left, Value right) {
  const Operand a(left);
  const Operand b(right);
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  const int order = compareLimbs(a.limbs, b.limbs);
  return a.negative ? -order : order;
}

// Returns -1, 0 or 1, or 2 if `right` is nan.
int compareToDouble(Value left, double right) {
  if (std::isnan(right)) return 2;
  if (std::isinf(right)) return right > 0 ? -1 : 1;
  const Operand integer(left);
  if (integer.negative != (right < 0)) return integer.negative ? -1 : 1;
  DoubleLimbs limbs;
  const int order = compareLimbs(integer.limbs, limbsOf(right, limbs));
  return integer.negative ? -order : order;
}

// Returns how many digits fit one limb, and sets `scale` to that power of the base.
uint32_t digitsPerLimb(uint32_t base, uint32_t& scale) {
  uint32_t count = 1;
  for (scale = base; uint64_t{scale} * base <= UINT32_MAX; scale *= base) ++count;
  return count;
}

}  // namespace

uint32_t digitValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? static_cast<uint32_t>(lower - 'a' + 10) : 99;
}

size_t excessiveDigits(std::string_view text, uint32_t base) {
  if (std::has_single_bit(base) || text.size() <= kMaxDecimalDigits) return 0;
  const auto underscores = std::count(text.begin(), text.end(), '_');
  const size_t count = text.size() - static_cast<size_t>(underscores);
  return count > kMaxDecimalDigits ? count : 0;
}

Value integerOfDigits(Heap& heap, std::string_view digits, uint32_t base, bool negative) {
  const size_t room = digits.size() * std::bit_width(base - 1) / 32 + 2;
  const bool canRead = spend(heap.budget, room, room);
  LongInteger& out = copyOf(heap, {}, 0, canRead ? room : 3);
  out.flag = negative;
  if (!canRead) {
    heap.budget.stop(Limit::kFuel);
    out.limbs()[2] = 1;
    return out;
  }
  size_t used = 0;
  uint32_t chunk = 0;
  uint32_t scale = 1;
  const auto add = [&] {
    out.limbs()[used] = multiplyAdd({out.limbs(), used}, scale, chunk);
    used += out.limbs()[used] == 0 ? 0 : 1;
    chunk = 0;
    scale = 1;
  };
  for (const char c : digits) {
    if (c == '_') continue;
    chunk = chunk * base + digitValue(c);
    scale *= base;
    if (uint64_t{scale} * base > UINT32_MAX) add();
  }
  add();
  return normalized(heap, out);
}

Value integerOfDouble(Heap& heap, double value) {
  DoubleLimbs buffer;
  const Limbs limbs = limbsOf(value, buffer);
  LongInteger& out = copyOf(heap, limbs, 0, limbs.size());
  out.flag = value < 0;
  return normalized(heap, out);
}

Value integerArithmetic(Runtime& runtime, Operator op, Value left, Value right) {
  // Go's integers have 64 bits.
  if (runtime.options.dialect == Dialect::kPongo2 && op != Operator::kDivide) {
    return runtime.limitFailure(Limit::kInteger);
  }
  if (op == Operator::kPower) return integerPower(runtime, left, right);
  const Operand a(left);
  const Operand b(right);
  if (op == Operator::kAdd) return sum(runtime, a, b, b.negative);
  if (op == Operator::kSubtract) return sum(runtime, a, b, !b.negative);
  if (op == Operator::kMultiply) return product(runtime, a, b);
  if (b.limbs.empty()) {
    const char* message = "integer division or modulo by zero";
    if (op == Operator::kDivide) message = "division by zero";
    if (op == Operator::kModulo) message = "integer modulo by zero";
    return runtime.fail(ErrorKind::kZeroDivision, message);
  }
  if (op == Operator::kDivide) return trueDivision(runtime, a, b);
  return floorDivision(runtime, a, b, op == Operator::kModulo);
}

int compareLong(Value left, Value right) {
  if (right.isDouble()) return compareToDouble(left, right.asDouble());
  if (!left.isDouble()) return compareIntegers(left, right);
  const int reversed = compareToDouble(right, left.asDouble());
  return reversed == 2 ? 2 : -reversed;
}

double toDouble(Value integer) {
  const Operand operand(integer);
  const double magnitude = toDouble(operand.limbs);
  return operand.negative ? -magnitude : magnitude;
}

bool toDouble(Runtime& runtime, Value number, double& out) {
  out = number.asDouble();
  if (!number.isLongInteger() || !std::isinf(out)) return true;
  return !runtime.fail("int too large to convert to float").failed();
}

bool appendMagnitude(Runtime& runtime, std::string& out, Value integer, uint32_t base) {
  // No integer with more bits has at most kMaxDecimalDigits digits.
  constexpr uint64_t kMaxDecimalBits = 14285;
  const Operand operand(integer);
  const uint64_t size = operand.limbs.size();
  // A division costs about twice as much as a product.
  if (!spend(runtime.budget, 2 * size, size)) return !runtime.limitFailure().failed();
  std::string digits;
  if (base != 10 || bitLength(operand.limbs) <= kMaxDecimalBits) {
    LongInteger& copy = copyOf(runtime.heap, operand.limbs, 0, size);
    uint32_t scale = 0;
    const uint32_t count = digitsPerLimb(base, scale);
    for (Limbs rest = operand.limbs; !rest.empty();) {
      uint32_t chunk = divideSmall({copy.limbs(), rest.size()}, scale);
      rest = trimmed({copy.limbs(), rest.size()});
      for (uint32_t i = 0; i < count; ++i, chunk /= base) {
        digits += "0123456789abcdef"[chunk % base];
      }
    }
    digits.resize(digits.find_last_not_of('0') + 1);
    if (digits.empty()) digits = '0';
  }
  if (digits.empty() || (base == 10 && digits.size() > kMaxDecimalDigits)) {
    return !runtime
                .fail(
                    "Exceeds the limit (4300 digits) for integer string conversion; use "
                    "sys.set_int_max_str_digits() to increase the limit")
                .failed();
  }
  out.append(digits.rbegin(), digits.rend());
  return true;
}

bool isNegative(Value integer) { return Operand(integer).negative; }

uint64_t bitLength(Value integer) { return bitLength(Operand(integer).limbs); }

}  // namespace strata::jinja
