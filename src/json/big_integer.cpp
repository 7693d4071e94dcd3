#include "json/big_integer.h"

#include <algorithm>

namespace strata::json {

BigInteger::BigInteger(uint64_t value) {
  append(value & 0xFFFFFFFFU);
  append(value >> 32U);
  while (size_ > 0 && words_[size_ - 1] == 0) --size_;
}

void BigInteger::append(uint64_t word) { words_[size_++] = static_cast<uint32_t>(word); }

BigInteger& BigInteger::multiply(uint32_t factor) {
  uint64_t carry = 0;
  for (size_t i = 0; i < size_; ++i) {
    carry += uint64_t{words_[i]} * factor;
    words_[i] = static_cast<uint32_t>(carry);
    carry >>= 32U;
  }
  if (carry != 0) append(carry);
  return *this;
}

BigInteger& BigInteger::multiplyPowerOfFive(unsigned exponent) {
  constexpr uint32_t kFiveTo13 = 1220703125;  // the largest power of five below 2^32
  for (; exponent >= 13; exponent -= 13) multiply(kFiveTo13);
  for (; exponent > 0; --exponent) multiply(5);
  return *this;
}

BigInteger& BigInteger::multiplyPowerOfTen(unsigned exponent) {
  return multiplyPowerOfFive(exponent).shiftLeft(exponent);
}

BigInteger& BigInteger::shiftLeft(unsigned bits) {
  if (size_ == 0) return *this;
  const size_t words = bits / 32;
  if (words > 0) {
    std::copy_backward(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(size_),
                       words_.begin() + static_cast<ptrdiff_t>(size_ + words));
    std::fill_n(words_.begin(), words, 0U);
    size_ += words;
  }
  return multiply(1U << (bits % 32));
}

BigInteger& BigInteger::add(uint32_t summand) { return add(BigInteger(summand)); }

BigInteger& BigInteger::add(const BigInteger& summand) {
  uint64_t carry = 0;
  for (size_t i = 0; i < summand.size_ || carry != 0; ++i) {
    if (i == size_) append(0);
    carry += words_[i];
    if (i < summand.size_) carry += summand.words_[i];
    words_[i] = static_cast<uint32_t>(carry);
    carry >>= 32U;
  }
  return *this;
}

unsigned BigInteger::divideDigit(const BigInteger& divisor) {
  unsigned times = 0;
  for (; compare(divisor) >= 0; ++times) subtract(divisor);
  return times;
}

int BigInteger::compare(const BigInteger& other) const {
  if (size_ != other.size_) return size_ < other.size_ ? -1 : 1;
  for (size_t i = size_; i-- > 0;) {
    if (words_[i] != other.words_[i]) return words_[i] < other.words_[i] ? -1 : 1;
  }
  return 0;
}

void BigInteger::subtract(const BigInteger& other) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < size_; ++i) {
    const uint64_t take = borrow + (i < other.size_ ? other.words_[i] : 0);
    borrow = words_[i] < take ? 1 : 0;
    words_[i] -= static_cast<uint32_t>(take);
  }
  while (size_ > 0 && words_[size_ - 1] == 0) --size_;
}

}  // namespace strata::json
