#include "base/sha256.h"

#include <algorithm>
#include <cstring>

namespace strata {
namespace {

constexpr std::array<uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr char kDigits[] = "0123456789abcdef";

uint32_t rotate(uint32_t word, unsigned by) { return (word >> by) | (word << (32U - by)); }

uint32_t bigEndian(const uint8_t* from) {
  return static_cast<uint32_t>(from[0]) << 24U | static_cast<uint32_t>(from[1]) << 16U |
         static_cast<uint32_t>(from[2]) << 8U | static_cast<uint32_t>(from[3]);
}

}  // namespace

void Sha256::compress(const uint8_t* block) {
  std::array<uint32_t, 64> w{};
  for (size_t i = 0; i < 16; ++i) w[i] = bigEndian(block + i * 4);
  for (size_t i = 16; i < 64; ++i) {
    const uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3U);
    const uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10U);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (size_t i = 0; i < 64; ++i) {
    const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i) state_[i] += added[i];
}

Sha256& Sha256::add(std::string_view bytes) {
  if (bytes.empty()) return *this;  // memcpy must not get the null pointer of an empty view.
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  size_t remaining = bytes.size();
  size_t filled = length_ % 64;
  length_ += remaining;
  if (filled > 0) {
    const size_t take = std::min(remaining, 64 - filled);
    std::memcpy(block_.data() + filled, from, take);
    from += take;
    remaining -= take;
    if (filled + take < 64) return *this;
    compress(block_.data());
  }
  for (; remaining >= 64; from += 64, remaining -= 64) compress(from);
  if (remaining > 0) std::memcpy(block_.data(), from, remaining);
  return *this;
}

Digest Sha256::finish() {
  const uint64_t bits = length_ * 8;
  std::array<char, 72> tail{};
  tail[0] = static_cast<char>(0x80);
  const size_t filled = length_ % 64;
  const size_t padding = (filled < 56 ? 56 : 120) - filled;
  for (size_t i = 0; i < 8; ++i) {
    tail[padding + i] = static_cast<char>((bits >> (56U - 8U * i)) & 0xFFU);
  }
  add(std::string_view(tail.data(), padding + 8));
  Digest digest{};
  for (size_t i = 0; i < 32; ++i) {
    digest[i] = static_cast<uint8_t>((state_[i / 4] >> (24U - 8U * (i % 4))) & 0xFFU);
  }
  return digest;
}

Digest sha256(std::string_view bytes) { return Sha256().add(bytes).finish(); }

HexDigest hexOf(const Digest& digest) {
  HexDigest hex;
  for (size_t i = 0; i < digest.size(); ++i) {
    hex.digits[2 * i] = kDigits[digest[i] >> 4U];
    hex.digits[2 * i + 1] = kDigits[digest[i] & 15U];
  }
  return hex;
}

}  // namespace strata
