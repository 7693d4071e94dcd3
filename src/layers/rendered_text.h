// Why this file exists: a layer whose inputs are the same bytes is neither rendered nor hashed
// again.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "prompt/section_writer.h"

namespace strata::layers {

/// Bytes and their SHA-256, hashed only when they change.
class HashedBytes {
 public:
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

/// A rendered text and what came of rendering it.
struct RenderedText {
  std::string inputs;  ///< All that it was made from; "" is nothing yet.
  std::string text;
  std::string json;          ///< The text as a JSON string.
  Digest digest{};           ///< Of `json`.
  prompt::SectionEntry own;  ///< Of what the layer's own template or text gave.
  catalogue::Findings findings;
  uint32_t tokens = 0;
};

}  // namespace strata::layers
