#include "signatures/hmac.h"

#include <array>

namespace strata::signatures {
namespace {

constexpr size_t kBlock = 64;

Sha256 startWith(std::array<char, kBlock> key, char padding) {
  for (char& byte : key) byte = static_cast<char>(byte ^ padding);
  Sha256 hash;
  hash.add({key.data(), key.size()});
  return hash;
}

}  // namespace

Hmac::Hmac(std::string_view secret) {
  std::array<char, kBlock> key{};
  if (secret.size() > kBlock) {
    const Digest digest = sha256(secret);
    bytesOf(digest).copy(key.data(), digest.size());
  } else {
    secret.copy(key.data(), secret.size());
  }
  inner_ = startWith(key, 0x36);
  outer_ = startWith(key, 0x5c);
}

Digest Hmac::of(std::initializer_list<std::string_view> pieces) const {
  Sha256 inner = inner_;
  for (const std::string_view piece : pieces) inner.add(piece);
  const Digest inside = inner.finish();
  return Sha256(outer_).add(bytesOf(inside)).finish();
}

}  // namespace strata::signatures
