// Examines eight bytes of text at a time (SIMD within a register).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strata {

inline constexpr uint64_t kOnes = 0x0101010101010101U;
inline constexpr uint64_t kHighBits = 0x8080808080808080U;

/// Returns the eight bytes at `from`, in the byte order of the platform.
inline uint64_t load8(const char* from) {
  uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Returns a nonzero value if any byte of `word` is 0; its lowest bit is in the first such byte.
/// See "Determine if a word has a zero byte" in
/// https://graphics.stanford.edu/~seander/bithacks.html.
inline uint64_t zeroBytes(uint64_t word) { return (word - kOnes) & ~word & kHighBits; }

/// Returns a nonzero value if any byte of `word` equals the ASCII character `c`; its lowest bit is
/// in the first such byte.
inline uint64_t bytesEqual(uint64_t word, unsigned char c) { return zeroBytes(word ^ (kOnes * c)); }

/// Returns the index of the byte with the lowest bit of a nonzero value of the functions above.
inline size_t firstByte(uint64_t found) {
  static_assert(std::endian::native == std::endian::little);
  return static_cast<size_t>(std::countr_zero(found)) / 8;
}

}  // namespace strata
