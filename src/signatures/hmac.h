// Computes HMAC-SHA-256 (RFC 2104).
#pragma once

#include <string_view>

#include "base/sha256.h"

namespace strata::signatures {

/// A secret, ready for any number of messages: the state behind its padded key is kept.
class Hmac {
 public:
  /// Reads `secret` before it returns; no view is kept.
  explicit Hmac(std::string_view secret);

  /// Returns the code of `message`.
  Digest of(std::string_view message) const;

 private:
  Sha256 inner_;
  Sha256 outer_;
};

}  // namespace strata::signatures
