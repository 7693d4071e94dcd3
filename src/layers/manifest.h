// Why this file exists: the manifest says what one request was made of, never its text, so that two
// requests can be compared long after both were sent.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "json/value.h"
#include "json/writer.h"
#include "layers/text_layer.h"
#include "thread/thread.h"

namespace strata::layers {

/// One piece of a body, in the order of its bytes; commas and brackets in front belong to it.
///
///     {"systemInstruction":{…}   ,"tools":[…]   ,"contents":[{dynamic}   ,{…},{…}   ,{trigger} ]}
struct Piece {
  std::string name;
  size_t bytes = 0;
  /// SHA-256 of its bytes; of history, the thread's digest behind its last turn.
  Digest digest{};
  int32_t from = -1;  ///< Of history: the turns that it holds.
  int32_t to = -1;
};

struct LayerEntry {
  size_t bytes = 0;
  uint32_t tokens = 0;
  Digest digest{};
  bool cached = false;
};

struct Manifest {
  std::string model;
  json::Value compiled;                     ///< The compiled prompt's manifest, or absent.
  std::array<LayerEntry, 4> layers;         ///< In the order of enum Layer.
  std::array<prompt::SectionEntry, 2> own;  ///< Of the static and the dynamic layer's own text.
  std::vector<Piece> pieces;
  size_t stablePrefixBytes = 0;
  std::string cacheDecision;
  std::string cacheKey;
  std::string cacheReason;
};

/// How many bytes at the start of the body are those of the request that `previous` describes.
/// Whole pieces count, and turns that were added behind a history that was sent before.
size_t sharedPrefix(const std::vector<Piece>& pieces, json::Value previous,
                    const thread::Thread& thread);

/// Writes the manifest as a JSON object; `diagnostics` is a JSON array.
void writeManifest(json::Writer& out, const Manifest& manifest, std::string_view diagnostics);

}  // namespace strata::layers
