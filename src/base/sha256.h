// Computes SHA-256 (FIPS 180-4), the hash of all fingerprints.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

using Digest = std::array<uint8_t, 32>;

/// Returns the bytes of a digest, as long as it lives.
inline std::string_view bytesOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Hashes the concatenation of all bytes passed to `add`. The result does not depend on how the
/// bytes are split.
class Sha256 {
 public:
  /// Reads `bytes` before it returns; no view is kept.
  Sha256& add(std::string_view bytes);
  /// Returns the digest. Call it once; the object cannot be used afterwards.
  Digest finish();

 private:
  void compress(const uint8_t* block);

  std::array<uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> block_{};
  uint64_t length_ = 0;
};

/// Returns the SHA-256 digest of `bytes`.
Digest sha256(std::string_view bytes);

/// The 64 lowercase hexadecimal digits of a digest.
struct HexDigest {
  std::array<char, 64> digits{};

  std::string_view text() const { return {digits.data(), digits.size()}; }
};

HexDigest hexOf(const Digest& digest);

/// Returns the digits as a string.
inline std::string toHex(const Digest& digest) { return std::string(hexOf(digest).text()); }

}  // namespace strata
