// Describes one request without its text, so that two requests can be compared long after both were
// sent.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "interactions/wire.h"
#include "json/value.h"
#include "json/writer.h"
#include "layers/text_layer.h"
#include "thread/thread.h"

namespace strata::layers {

/// One piece of a body. Pieces are in the order of their bytes and include the commas and brackets
/// before them; the final "]}" belongs to none.
///
///     {"systemInstruction":{…}   ,"tools":[…]   ,"contents":[{dynamic}   ,{…},{…}   ,{trigger} ]}
struct Piece {
  std::string name;
  size_t bytes = 0;
  /// The SHA-256 of its content; for history and trigger the thread's digest after its last turn.
  Digest digest{};
  int32_t from = -1;  ///< For history: the range of its turns; `to` is exclusive.
  int32_t to = -1;
};

struct LayerEntry {
  size_t bytes = 0;
  uint32_t tokens = 0;
  Digest digest{};
  bool cached = false;  ///< A CachedContent takes its place.
};

struct Manifest {
  std::string model;
  interactions::Wire wire = interactions::Wire::kGenerateContent;
  json::Value compiled;              ///< The manifest of the compiled prompt, or absent.
  std::array<LayerEntry, 4> layers;  ///< Indexed by Layer.
  /// The static and the dynamic layer's own text, without a compiled prompt's half.
  std::array<sections::SectionEntry, 2> ownSections;
  std::vector<Piece> pieces;
  size_t stablePrefixBytes = 0;
  uint32_t stablePrefixTokens = 0;
  uint32_t promptTokens = 0;
  std::string cacheDecision;
  std::string cacheKey;
  std::string cacheReason;
};

/// Returns the name of a wire in a manifest, which is that of the option `wire`.
std::string_view wireOption(interactions::Wire wire);

/// Appends the manifest as a JSON object (src/layers/manifest.schema.json). `diagnostics` must be a
/// JSON array.
void writeManifest(json::Writer& out, const Manifest& manifest, std::string_view diagnostics);

}  // namespace strata::layers
