// Holds the rendered text and the hashes of layers, so that a layer with unchanged inputs is
// neither rendered nor hashed again.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "sections/section_entry.h"

namespace strata::layers {

/// Computes the SHA-256 of bytes, and again only if the bytes change.
class HashedBytes {
 public:
  /// Returns the digest of `bytes`. The reference is valid until the next call. Compares `bytes`
  /// with a copy of the previous ones: O(bytes).
  const Digest& digest(std::string_view bytes) {
    if (!known_ || bytes != bytes_) {
      bytes_ = bytes;
      digest_ = sha256(bytes);
      known_ = true;
    }
    return digest_;
  }

 private:
  std::string bytes_;
  Digest digest_{};
  bool known_ = false;
};

/// A rendered text and the findings of rendering it.
struct RenderedText {
  std::string inputs;  ///< Everything the text depends on; "" before the first render.
  std::string text;
  std::string json;  ///< `text` as a JSON string.
  Digest digest{};   ///< Of `json`.
  sections::SectionEntry
      ownSection;  ///< Of the layer's own text, without a compiled prompt's half.
  catalogue::Findings findings;
  uint32_t tokens = 0;
};

}  // namespace strata::layers
