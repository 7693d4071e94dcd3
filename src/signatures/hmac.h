// Computes HMAC-SHA-256 (RFC 2104).
#pragma once

#include <initializer_list>
#include <string_view>

#include "base/sha256.h"

namespace strata::signatures {

/// A secret, ready for any number of messages: the state behind its padded key is kept.
class Hmac {
 public:
  /// Reads `secret` before it returns; no view is kept.
  explicit Hmac(std::string_view secret);

  /// Returns the code of the message that the pieces form.
  Digest of(std::initializer_list<std::string_view> pieces) const;

 private:
  Sha256 inner_;
  Sha256 outer_;
};

}  // namespace strata::signatures
