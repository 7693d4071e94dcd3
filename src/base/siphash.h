// Computes SipHash-2-4 with 128 bits: a keyed hash that is much faster than SHA-256 in WebAssembly.
// Without the key, nobody can predict its digests or find two equal ones.
// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF",
// https://github.com/veorq/SipHash.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace strata {

/// Hashes the concatenation of all bytes passed to `add`. The result does not depend on how the
/// bytes are split.
class SipHash {
 public:
  using Key = std::array<uint64_t, 2>;  ///< Its bytes, little-endian.
  using Digest = std::array<uint8_t, 16>;

  explicit SipHash(const Key& key);

  /// Reads `bytes` before it returns; no view is kept.
  SipHash& add(std::string_view bytes);
  /// Returns the digest of all that was added so far.
  Digest digest() const;

 private:
  struct State {
    uint64_t a, b, c, d;

    void round();
    void rounds(int count);
    void add(uint64_t word);
    uint64_t folded() const { return a ^ b ^ c ^ d; }
  };

  State state_;
  uint64_t tail_ = 0;    // The bytes after the last whole word.
  uint64_t length_ = 0;  // In bytes.
};

/// Returns the bytes of a digest, as long as it lives.
inline std::string_view bytesOf(const SipHash::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace strata
