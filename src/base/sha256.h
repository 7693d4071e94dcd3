// Why this file exists: fingerprints are SHA-256, the same on every platform.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

using Digest = std::array<uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of the pieces given to `add`, in order.
class Sha256 {
 public:
  Sha256& add(std::string_view bytes);
  Digest finish();

 private:
  void compress(const uint8_t* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  uint64_t length_ = 0;
};

Digest sha256(std::string_view bytes);

/// 64 lower-case hexadecimal digits.
std::string toHex(const Digest& digest);

}  // namespace strata
