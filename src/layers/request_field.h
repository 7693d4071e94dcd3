// Holds what is known of the JSON of a request's field, such as `tools`, so that a field that stays
// the same is neither read nor hashed again.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sha256.h"

namespace strata::layers {

class RequestField {
 public:
  /// Checks that `json` is JSON, or "" for a field that is absent. Compares it with a copy of the
  /// previous one: O(bytes). After an error, the field is what it was before.
  Status read(std::string_view json);

  /// Returns the SHA-256 of the JSON that was read last. The reference is valid until the next
  /// call.
  const Digest& digest();
  /// Returns its estimated tokens.
  uint32_t tokens() const { return tokens_; }

 private:
  std::string json_;
  Digest digest_{};
  bool isHashed_ = false;
  uint32_t tokens_ = 0;
};

}  // namespace strata::layers
