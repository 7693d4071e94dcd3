#include "base/siphash.h"

#include <bit>

#include "base/swar.h"

namespace strata {
namespace {

void write8(uint8_t* to, uint64_t word) {
  for (unsigned i = 0; i < 8; ++i) to[i] = static_cast<uint8_t>(word >> (8 * i));
}

}  // namespace

inline void SipHash::State::round() {
  a += b;
  b = std::rotl(b, 13) ^ a;
  a = std::rotl(a, 32);
  c += d;
  d = std::rotl(d, 16) ^ c;
  a += d;
  d = std::rotl(d, 21) ^ a;
  c += b;
  b = std::rotl(b, 17) ^ c;
  c = std::rotl(c, 32);
}

inline void SipHash::State::rounds(int count) {
  for (int i = 0; i < count; ++i) round();
}

inline void SipHash::State::add(uint64_t word) {
  d ^= word;
  round();
  round();
  a ^= word;
}

SipHash::SipHash(const Key& key)
    : state_{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU ^ 0xeeU,
             key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U} {}

SipHash& SipHash::add(std::string_view bytes) {
  State state = state_;  // In registers.
  size_t at = 0;
  for (unsigned held = length_ % 8; held > 0 && at < bytes.size(); held = length_ % 8) {
    tail_ |= uint64_t{static_cast<uint8_t>(bytes[at++])} << (8 * held);
    if (++length_ % 8 != 0) continue;
    state.add(tail_);
    tail_ = 0;
  }
  const size_t words = (bytes.size() - at) / 8;
  for (const char* from = bytes.data() + at; from != bytes.data() + at + words * 8; from += 8) {
    state.add(load8(from));
  }
  at += words * 8;
  length_ += words * 8;
  for (; at < bytes.size(); ++at, ++length_) {
    tail_ |= uint64_t{static_cast<uint8_t>(bytes[at])} << (8 * (length_ % 8));
  }
  state_ = state;
  return *this;
}

SipHash::Digest SipHash::digest() const {
  State state = state_;
  state.add(tail_ | length_ << 56U);
  state.c ^= 0xeeU;
  state.rounds(4);
  Digest digest{};
  write8(digest.data(), state.folded());
  state.b ^= 0xddU;
  state.rounds(4);
  write8(digest.data() + 8, state.folded());
  return digest;
}

}  // namespace strata
