// Implements the integer arithmetic that exact decimal conversion needs, without heap memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strata::json {

/// A nonnegative integer below 2^4224. Overflow is not checked: the values that doubles and texts
/// of 800 digits need stay below.
class BigInteger {
 public:
  explicit BigInteger(uint64_t value = 0);

  BigInteger& multiply(uint32_t factor);
  BigInteger& multiplyPowerOfFive(unsigned exponent);
  BigInteger& multiplyPowerOfTen(unsigned exponent);
  BigInteger& shiftLeft(unsigned bits);
  BigInteger& add(uint32_t summand);
  BigInteger& add(const BigInteger& summand);

  /// Replaces this number by its remainder and returns the quotient. Requires a quotient below 10.
  unsigned divideDigit(const BigInteger& divisor);

  /// Returns a value below 0, 0 or above 0, as this number is less than, equal to or greater than
  /// `other`.
  int compare(const BigInteger& other) const;

 private:
  void subtract(const BigInteger& other);
  void append(uint64_t word);

  std::array<uint32_t, 132> words_;  // least significant first; the first `size_` are set
  size_t size_ = 0;
};

}  // namespace strata::json
