#include "jinja/long_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "jinja/power.h"

namespace strata::jinja {
namespace {

// The number of limb operations that cost one fuel.
constexpr uint64_t kOperationsPerFuel = 64;

bool spend(Budget& budget, uint64_t left, uint64_t right) {
  return budget.spend(left * right / kOperationsPerFuel);
}

LongInteger& makeLong(Heap& heap, size_t limbs, bool negative = false) {
  void* place = heap.allocate(sizeof(LongInteger) + limbs * sizeof(uint32_t));
  auto* made = new (place) LongInteger(negative, static_cast<uint32_t>(limbs));
  std::fill_n(made->limbs(), limbs, 0U);
  return *made;
}

std::span<uint32_t> spanOf(LongInteger& integer) { return {integer.limbs(), integer.size}; }
Limbs limbsOf(const LongInteger& integer) { return {integer.limbs(), integer.size}; }

void trim(LongInteger& integer) {
  integer.size = static_cast<uint32_t>(trimmed(limbsOf(integer)).size());
}

// Returns the limbs of any integer.
const LongInteger& longOf(Heap& heap, Value integer) {
  if (integer.isLongInteger()) return integer.asLong();
  const auto bits = static_cast<uint64_t>(integer.asInteger());
  LongInteger& out = makeLong(heap, 2, isNegative(integer));
  const uint64_t magnitude = out.flag ? 0 - bits : bits;
  out.limbs()[0] = static_cast<uint32_t>(magnitude);
  out.limbs()[1] = static_cast<uint32_t>(magnitude >> 32U);
  trim(out);
  return out;
}

LongInteger& copyOf(Heap& heap, const LongInteger& integer, size_t zerosBelow, size_t size) {
  LongInteger& copy = makeLong(heap, size, integer.flag);
  std::copy_n(integer.limbs(), integer.size, copy.limbs() + zerosBelow);
  return copy;
}

// Removes leading zeros. Returns a plain integer if the value fits.
Value normalized(Heap& heap, LongInteger& integer) {
  trim(integer);
  if (integer.size > 2) return integer;
  uint64_t magnitude = 0;
  for (size_t i = integer.size; i-- > 0;) magnitude = magnitude << 32U | integer.limbs()[i];
  const auto value = static_cast<int64_t>(integer.flag ? 0 - magnitude : magnitude);
  return value == 0 || (value < 0) == integer.flag ? Value::integer(heap, value) : Value(integer);
}

Value sum(Runtime& runtime, const LongInteger& left, const LongInteger& right, bool subtracts) {
  const bool swaps = compareLimbs(limbsOf(left), limbsOf(right)) < 0;
  const Limbs larger = limbsOf(swaps ? right : left);
  const Limbs smaller = limbsOf(swaps ? left : right);
  if (!spend(runtime.budget, larger.size(), 1)) return runtime.limitFailure();
  const bool negative = swaps ? right.flag != subtracts : left.flag;
  LongInteger& out = makeLong(runtime.heap, larger.size() + 1, negative);
  combineLimbs(out.limbs(), larger, smaller, (left.flag != right.flag) != subtracts);
  return normalized(runtime.heap, out);
}

Value product(Runtime& runtime, const LongInteger& left, const LongInteger& right) {
  if (!spend(runtime.budget, left.size, right.size)) return runtime.limitFailure();
  LongInteger& out =
      makeLong(runtime.heap, size_t{left.size} + right.size, left.flag != right.flag);
  multiplyLimbs(out.limbs(), limbsOf(left), limbsOf(right));
  return normalized(runtime.heap, out);
}

// Rounds the double of kDivide to the nearest, and other quotients down, as Python does. The
// remainder has the sign of the divisor.
Value division(Runtime& runtime, Operator op, const LongInteger& left, const LongInteger& right) {
  Heap& heap = runtime.heap;
  // 64 bits of a quotient decide how it is rounded to a double.
  int64_t zeros = 0;
  if (op == Operator::kDivide) zeros = int64_t{right.size} + 3 - left.size;
  zeros = std::max<int64_t>(zeros, 0);
  const size_t size = std::max<size_t>(left.size + static_cast<size_t>(zeros), right.size) + 1;
  const size_t quotientSize = size - right.size;
  if (!spend(runtime.budget, quotientSize, right.size)) return runtime.limitFailure();
  LongInteger& rest = copyOf(heap, left, static_cast<size_t>(zeros), size);
  LongInteger& quotient = makeLong(heap, quotientSize + 1, left.flag != right.flag);
  LongInteger& divisor = copyOf(heap, right, 0, right.size);
  divideLimbs(quotient.limbs(), spanOf(rest), spanOf(divisor));
  rest.flag = right.flag;
  trim(rest);
  if (op == Operator::kDivide) {
    trim(quotient);
    const double magnitude = toDouble(limbsOf(quotient), -32 * zeros, rest.size > 0).value;
    if (std::isinf(magnitude)) {
      return runtime.fail("integer division result too large for a float");
    }
    return runtime.number(quotient.flag ? -magnitude : magnitude);
  }
  if (quotient.flag && rest.size > 0) {
    multiplyAdd(spanOf(quotient), 1, 1);
    combineLimbs(rest.limbs(), limbsOf(right), limbsOf(rest), true);
    rest.size = right.size;
  }
  return normalized(heap, op == Operator::kModulo ? rest : quotient);
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
  Heap& heap = runtime.heap;
  const LongInteger& times = longOf(heap, exponent);
  const LongInteger& factor = longOf(heap, base);
  Value result = runtime.integer(1);
  auto at = static_cast<size_t>(bitLength(limbsOf(times)));
  while (at-- > 0 && !result.failed()) {
    const LongInteger& root = longOf(heap, result);
    result = product(runtime, root, root);
    if (result.failed() || (times.limbs()[at / 32] >> (at % 32) & 1U) == 0) continue;
    result = product(runtime, longOf(heap, result), factor);
  }
  return result;
}

}  // namespace

uint32_t digitValue(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? static_cast<uint32_t>(lower - 'a' + 10) : 99;
}

uint32_t baseOfLetter(char letter) {
  switch (letter | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

bool exceedsMaxDigits(std::string_view digits, uint32_t base) {
  const auto underscores = std::count(digits.begin(), digits.end(), '_');
  return digits.size() - static_cast<size_t>(underscores) > kMaxDecimalDigits &&
         !std::has_single_bit(base);
}

Value integerOfDigits(Heap& heap, std::string_view digits, uint32_t base, bool negative) {
  const size_t room = digits.size() * std::bit_width(base - 1) / 32 + 2;
  const bool canRead = spend(heap.budget, room, room);
  LongInteger& out = makeLong(heap, canRead ? room : 3, negative);
  if (!canRead) {
    heap.budget.stop(Limit::kFuel);
    out.limbs()[2] = 1;
    return out;
  }
  size_t used = 0;
  for (size_t at = 0; at < digits.size();) {
    uint32_t chunk = 0;
    uint32_t scale = 1;
    for (; at < digits.size() && uint64_t{scale} * base <= UINT32_MAX; ++at) {
      if (digits[at] == '_') continue;
      chunk = chunk * base + digitValue(digits[at]);
      scale *= base;
    }
    out.limbs()[used] = multiplyAdd({out.limbs(), used}, scale, chunk);
    if (out.limbs()[used] != 0) ++used;
  }
  return normalized(heap, out);
}

Value integerOfDouble(Heap& heap, double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  if (exponent < 64) return Value::integer(heap, static_cast<int64_t>(value));
  const auto shift = static_cast<unsigned>(exponent - 64);
  LongInteger& out = makeLong(heap, shift / 32 + 3, value < 0);
  const auto high = static_cast<uint64_t>(fraction * 18446744073709551616.0);
  uint32_t* place = out.limbs() + shift / 32;
  place[0] = static_cast<uint32_t>(high);
  place[1] = static_cast<uint32_t>(high >> 32U);
  multiplyAdd({place, 3}, 1U << (shift % 32), 0);
  return normalized(heap, out);
}

Value integerArithmetic(Runtime& runtime, Operator op, Value left, Value right) {
  if (op == Operator::kPower) return integerPower(runtime, left, right);
  const LongInteger& a = longOf(runtime.heap, left);
  const LongInteger& b = longOf(runtime.heap, right);
  if (op == Operator::kMultiply) return product(runtime, a, b);
  if (op == Operator::kAdd || op == Operator::kSubtract) {
    return sum(runtime, a, b, op == Operator::kSubtract);
  }
  if (b.size > 0) return division(runtime, op, a, b);
  const char* message = "integer division or modulo by zero";
  if (op == Operator::kDivide) message = "division by zero";
  if (op == Operator::kModulo) message = "integer modulo by zero";
  return runtime.fail(ErrorKind::kZeroDivision, message);
}

int compareIntegers(Value left, Value right) {
  const bool negative = isNegative(left);
  if (negative != isNegative(right)) return negative ? -1 : 1;
  // The magnitude of a long integer is larger than that of each plain one.
  int order = left.isLongInteger() ? 1 : -1;
  if (left.isLongInteger() && right.isLongInteger()) {
    order = compareLimbs(limbsOf(left.asLong()), limbsOf(right.asLong()));
  }
  return negative ? -order : order;
}

Rounded rounded(Value number) {
  if (number.isDouble()) return {number.asDouble(), 0};
  if (number.isLongInteger()) {
    const Rounded magnitude = toDouble(limbsOf(number.asLong()));
    return isNegative(number) ? Rounded{-magnitude.value, -magnitude.error} : magnitude;
  }
  const int64_t integer = number.asInteger();
  const double value = number.asDouble();
  // The largest integers round to 2^63.
  if (value >= 9223372036854775808.0) return {value, -1};
  const auto whole = static_cast<int64_t>(value);
  return {value, integer < whole ? -1 : int{integer > whole}};
}

bool toDouble(Runtime& runtime, Value number, double& out) {
  out = number.asDouble();
  if (!number.isLongInteger() || !std::isinf(out)) return true;
  return !runtime.fail("int too large to convert to float").failed();
}

bool appendMagnitude(Runtime& runtime, std::string& out, Value integer, uint32_t base) {
  const LongInteger& source = longOf(runtime.heap, integer);
  // A division costs about twice as much as a product.
  if (!spend(runtime.budget, uint64_t{2} * source.size, source.size)) {
    return !runtime.limitFailure().failed();
  }
  LongInteger& rest = copyOf(runtime.heap, source, 0, source.size);
  // Base 2 needs the most digits.
  const size_t room = size_t{source.size} * 32 + 1;
  char* const end = runtime.heap.array<char>(room) + room;
  char* digit = end;
  uint32_t scale = base;
  while (uint64_t{scale} * base <= UINT32_MAX) scale *= base;
  do {
    uint32_t chunk = divideSmall(spanOf(rest), scale);
    trim(rest);
    for (uint32_t left = scale; left > 1 && (rest.size > 0 || chunk > 0); left /= base) {
      *--digit = "0123456789abcdef"[chunk % base];
      chunk /= base;
    }
  } while (rest.size > 0);
  if (digit == end) *--digit = '0';
  const std::string_view digits(digit, static_cast<size_t>(end - digit));
  if (exceedsMaxDigits(digits, base)) return !runtime.fail(kTooManyDigits).failed();
  out += digits;
  return true;
}

bool isNegative(Value integer) {
  return integer.isLongInteger() ? integer.asLong().flag : integer.asInteger() < 0;
}

uint64_t bitLength(Heap& heap, Value integer) { return bitLength(limbsOf(longOf(heap, integer))); }

}  // namespace strata::jinja
