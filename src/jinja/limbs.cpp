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
  combineLimbs(rest.data(), rest.first(size), divisor, false);
  rest[size] = 0;
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

void combineLimbs(uint32_t* out, Limbs left, Limbs right, bool subtracts) {
  // left - right == left + ~right + 1
  const uint32_t mask = subtracts ? UINT32_MAX : 0;
  uint64_t carry = mask & 1U;
  for (size_t i = 0; i < left.size(); ++i) {
    carry += uint64_t{left[i]} + ((i < right.size() ? right[i] : 0) ^ mask);
    out[i] = static_cast<uint32_t>(carry);
    carry >>= 32U;
  }
  out[left.size()] = static_cast<uint32_t>(carry) ^ (mask & 1U);
}

void multiplyLimbs(uint32_t* out, Limbs left, Limbs right) {
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

Rounded toDouble(Limbs limbs, int64_t exponent, bool more) {
  if (limbs.empty()) return {};
  constexpr int64_t kSmallestExponent = -1074;
  const auto fromTop = [&](size_t at) {
    return at < limbs.size() ? uint64_t{limbs[limbs.size() - 1 - at]} : 0;
  };
  // The highest 64 bits, and whether any bit below them is set.
  const auto zeros = static_cast<unsigned>(std::countl_zero(limbs.back()));
  const uint64_t third = fromTop(2) << zeros;
  uint64_t high = (fromTop(0) << 32U | fromTop(1)) << zeros | third >> 32U;
  more = more || static_cast<uint32_t>(third) != 0;
  for (size_t i = 0; i + 3 < limbs.size(); ++i) more = more || limbs[i] != 0;
  exponent += 32 * (static_cast<int64_t>(limbs.size()) - 2) - zeros;
  // Of these bits, a double has 53, and fewer if it is small.
  const int64_t excess = std::max<int64_t>(11, kSmallestExponent - exponent);
  if (excess > 64) return {0, 1};
  const uint64_t half = uint64_t{1} << static_cast<unsigned>(excess - 1);
  const uint64_t tail = high & (half | (half - 1));
  high = high >> 1U >> static_cast<unsigned>(excess - 1);
  const bool up = tail > half || (tail == half && (more || (high & 1U) != 0));
  const auto scale = static_cast<int>(std::min<int64_t>(exponent + excess, 2000));
  const double value = std::ldexp(static_cast<double>(high + (up ? 1 : 0)), scale);
  const bool isLess = up || std::isinf(value);
  return {value, isLess ? -1 : int{tail != 0 || more}};
}

}  // namespace strata::jinja
