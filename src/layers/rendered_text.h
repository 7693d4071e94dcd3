// Holds the rendered text of a layer and its hash, so that a layer with unchanged inputs is neither
// rendered nor hashed again.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"
#include "catalogue/finding.h"
#include "sections/section_entry.h"

namespace strata::layers {

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
