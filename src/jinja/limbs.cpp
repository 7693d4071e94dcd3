#include "jinja/limbs.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace strata::jinja {
namespace {

// Returns one limb of the quotient of `rest`, which has one limb more than `divisor`, and subtracts
// its multiple of the divisor: steps D3 to D6 of Knuth's algorithm D (The Art of Computer
// Programming, volume 2, 4.3.1). The divisor's highest bit must be set.
uint32_t divideStep(std::span<uint32_t> rest, Limbs divisor) {
  const size_t size = divisor.size();
  const uint64_t leading = divisor[size - 1];
  const uint64_t high = uint64_t{rest[size]} << 32U | rest[size - 1];
  uint64_t quotient = high / leading;
  uint64_t remainder = high % leading;
  while (remainder <= UINT32_MAX &&
         (quotient > UINT32_MAX ||
          quotient * divisor[size - 2] > (remainder << 32U | rest[size - 2]))) {
    --quotient;
    remainder += leading;
  }
  uint64_t carry = 0;
  uint64_t borrow = 0;
  for (size_t i = 0; i <= size; ++i) {
    if (i < size) carry += quotient * divisor[i];
    const uint64_t difference = uint64_t{rest[i]} - static_cast<uint32_t>(carry) - borrow;
    rest[i] = static_cast<uint32_t>(difference);
    borrow = difference >> 63U;
    carry >>= 32U;
  }
  if (borrow == 0) return static_cast<uint32_t>(quotient);
  // The estimate was one too large.
  uint64_t sum = 0;
  for (size_t i = 0; i <= size; ++i) {
    sum += rest[i];
    if (i < size) sum += divisor[i];
    rest[i] = static_cast<uint32_t>(sum);
    sum >>= 32U;
  }
  return static_cast<uint32_t>(quotient - 1);
}

}  // namespace

Limbs trimmed(Limbs limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs = limbs.first(limbs.size() - 1);
  return limbs;
}

uint64_t bitLength(Limbs limbs) {
  return limbs.empty() ? 0 : uint64_t{limbs.size()} * 32 - std::countl_zero(limbs.back());
}

int compareLimbs(Limbs left, Limbs right) {
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  for (size_t i = left.size(); i-- > 0;) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

void addLimbs(uint32_t* out, Limbs left, Limbs right) {
  if (left.size() < right.size()) std::swap(left, right);
  uint64_t carry = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    carry += uint64_t{left[i]} + (i < right.size() ? right[i] : 0);
    out[i] = static_cast<uint32_t>(carry);
    carry >>= 32U;
  }
  out[left.size()] = static_cast<uint32_t>(carry);
}

void subtractLimbs(uint32_t* out, Limbs left, Limbs right) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    const uint64_t difference = uint64_t{left[i]} - (i < right.size() ? right[i] : 0) - borrow;
    out[i] = static_cast<uint32_t>(difference);
    borrow = difference >> 63U;
  }
}

void multiplyLimbs(uint32_t* out, Limbs left, Limbs right) {
  std::fill_n(out, left.size() + right.size(), 0U);
  for (size_t i = 0; i < left.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < right.size(); ++j) {
      carry += uint64_t{left[i]} * right[j] + out[i + j];
      out[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32U;
    }
    out[i + right.size()] = static_cast<uint32_t>(carry);
  }
}

uint32_t multiplyAdd(std::span<uint32_t> limbs, uint32_t factor, uint32_t summand) {
  uint64_t carry = summand;
  for (uint32_t& limb : limbs) {
    carry += uint64_t{limb} * factor;
    limb = static_cast<uint32_t>(carry);
    carry >>= 32U;
  }
  return static_cast<uint32_t>(carry);
}

uint32_t divideSmall(std::span<uint32_t> limbs, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = limbs.size(); i-- > 0;) {
    rest = rest << 32U | limbs[i];
    limbs[i] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  return static_cast<uint32_t>(rest);
}

void divideLimbs(uint32_t* quotient, std::span<uint32_t> rest, std::span<uint32_t> divisor) {
  const size_t size = divisor.size();
  if (size == 1) {
    const uint32_t remainder = divideSmall(rest, divisor[0]);
    std::copy(rest.begin(), rest.end() - 1, quotient);
    std::fill(rest.begin(), rest.end(), 0U);
    rest[0] = remainder;
    return;
  }
  const uint32_t scale = 1U << static_cast<unsigned>(std::countl_zero(divisor.back()));
  multiplyAdd(divisor, scale, 0);
  multiplyAdd(rest, scale, 0);
  for (size_t i = rest.size() - size; i-- > 0;) {
    quotient[i] = divideStep(rest.subspan(i, size + 1), divisor);
  }
  divideSmall(rest, scale);
}

double toDouble(Limbs limbs, int64_t exponent, bool more) {
  constexpr int64_t kMantissaBits = 53;
  constexpr int64_t kSmallestExponent = -1074;
  // The highest 64 bits, and whether any bit below them is set.
  uint64_t high = 0;
  const auto bits = static_cast<int64_t>(bitLength(limbs));
  const int64_t dropped = std::max<int64_t>(bits - 64, 0);
  for (size_t i = limbs.size(); i-- > 0;) {
    const int64_t shift = static_cast<int64_t>(i) * 32 - dropped;
    const uint64_t limb = limbs[i];
    if (shift >= 0) {
      high |= limb << static_cast<unsigned>(shift);
    } else if (shift > -32) {
      high |= limb >> static_cast<unsigned>(-shift);
      more = more || static_cast<uint32_t>(limb << static_cast<unsigned>(32 + shift)) != 0;
    } else {
      more = more || limb != 0;
    }
  }
  exponent += dropped;
  const int64_t excess =
      std::max(std::min<int64_t>(bits, 64) - kMantissaBits, kSmallestExponent - exponent);
  if (excess > 64) return 0;
  if (excess > 0) {
    const uint64_t half = uint64_t{1} << static_cast<unsigned>(excess - 1);
    const uint64_t tail = high & (half | (half - 1));
    high = excess == 64 ? 0 : high >> static_cast<unsigned>(excess);
    if (tail > half || (tail == half && (more || (high & 1U) != 0))) ++high;
    exponent += excess;
  }
  return std::ldexp(static_cast<double>(high), static_cast<int>(std::min<int64_t>(exponent, 2000)));
}

Limbs limbsOf(double value, DoubleLimbs& out) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  if (exponent <= 0) return {};
  // 2^63 <= high < 2^64, unless the value is zero.
  uint64_t high = static_cast<uint64_t>(std::ldexp(fraction, 64));
  if (exponent < 64) high >>= static_cast<unsigned>(64 - exponent);
  const auto shift = static_cast<unsigned>(std::max(exponent - 64, 0));
  std::fill(std::begin(out), std::end(out), 0U);
  uint32_t* place = out + shift / 32;
  place[0] = static_cast<uint32_t>(high);
  place[1] = static_cast<uint32_t>(high >> 32U);
  multiplyAdd({place, 3}, 1U << (shift % 32), 0);
  return trimmed(out);
}

}  // namespace strata::jinja
