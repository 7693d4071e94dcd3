// Examines eight bytes of text at a time (SIMD within a register).
#pragma once

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

/// Returns a nonzero value if any byte of `word` is 0. See "Determine if a word has a zero byte" in
/// https://graphics.stanford.edu/~seander/bithacks.html.
inline uint64_t zeroBytes(uint64_t word) { return (word - kOnes) & ~word & kHighBits; }

/// Returns a nonzero value if any byte of `word` equals the ASCII character `c`.
inline uint64_t bytesEqual(uint64_t word, unsigned char c) { return zeroBytes(word ^ (kOnes * c)); }

}  // namespace strata
