// Why this file exists: exact decimal conversion needs integers of up to four thousand bits, and
// of their arithmetic only this much.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace strata::json {

/// A natural number below 2^4224. The caller keeps to that: doubles and 800 digits do.
class BigInteger {
 public:
  explicit BigInteger(uint64_t value = 0);

  BigInteger& multiply(uint32_t factor);
  BigInteger& multiplyPowerOfFive(unsigned exponent);
  BigInteger& multiplyPowerOfTen(unsigned exponent);
  BigInteger& shiftLeft(unsigned bits);
  BigInteger& add(uint32_t summand);
  BigInteger& add(const BigInteger& summand);

  /// Subtracts `divisor` as often as it fits (at most nine times) and returns how often.
  unsigned divideDigit(const BigInteger& divisor);

  /// Below 0, 0 or above 0, as this number is less than, equal to or greater than `other`.
  int compare(const BigInteger& other) const;

 private:
  void subtract(const BigInteger& other);
  void append(uint64_t word);

  std::array<uint32_t, 132> words_;  // least significant first; only `size_` of them are set
  size_t size_ = 0;
};

}  // namespace strata::json
