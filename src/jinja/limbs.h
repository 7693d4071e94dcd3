// Computes with the magnitudes of integers beyond 64 bits, in memory that the caller provides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::jinja {

/// The base-2^32 digits of a magnitude, least significant first. The last one is not zero, so zero
/// has no limbs.
using Limbs = std::span<const uint32_t>;

/// Returns `limbs` without leading zeros.
Limbs trimmed(Limbs limbs);
/// Returns the number of bits of the magnitude.
uint64_t bitLength(Limbs limbs);
/// Returns -1, 0 or 1, as `left` is less than, equal to or greater than `right`.
int compareLimbs(Limbs left, Limbs right);

/// Writes left + right, or left - right if `subtracts`: one limb more than `left` has. Requires
/// that `right` is not longer, and a difference of at least 0.
void combineLimbs(uint32_t* out, Limbs left, Limbs right, bool subtracts);
/// Writes the product: as many limbs as both factors have, which must be zero before.
void multiplyLimbs(uint32_t* out, Limbs left, Limbs right);
/// Replaces `limbs` by limbs * factor + summand and returns the limb that does not fit.
uint32_t multiplyAdd(std::span<uint32_t> limbs, uint32_t factor, uint32_t summand);
/// Replaces `limbs` by the quotient and returns the remainder.
uint32_t divideSmall(std::span<uint32_t> limbs, uint32_t divisor);
/// Divides `rest`, whose last limb must be zero, and leaves the remainder in it. Writes
/// rest.size() - divisor.size() limbs of the quotient. Changes `divisor`.
void divideLimbs(uint32_t* quotient, std::span<uint32_t> rest, std::span<uint32_t> divisor);

/// A rounded number, and -1, 0 or 1 as the exact number is less, equal or greater.
struct Rounded {
  double value = 0;
  int error = 0;
};

/// Returns the double nearest to `limbs` * 2^exponent, ties to even; infinity if it is too large.
/// `more` adds something between 0 and 1 to the magnitude; then it must have at least 64 bits.
Rounded toDouble(Limbs limbs, int64_t exponent = 0, bool more = false);

}  // namespace strata::jinja
