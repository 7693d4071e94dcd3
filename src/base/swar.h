// Why this file exists: text is long, and eight of its bytes can be looked at in one step.
#pragma once

#include <cstdint>
#include <cstring>

namespace strata {

inline constexpr uint64_t kOnes = 0x0101010101010101U;
inline constexpr uint64_t kHighBits = 0x8080808080808080U;

inline uint64_t load8(const char* from) {
  uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Not 0 where one of the bytes is 0.
inline uint64_t zeroBytes(uint64_t word) { return (word - kOnes) & ~word & kHighBits; }

/// Not 0 where one of the bytes is `c`, which is ASCII.
inline uint64_t bytesEqual(uint64_t word, unsigned char c) { return zeroBytes(word ^ (kOnes * c)); }

}  // namespace strata
