// Why this file exists: what a thread's requests share while it does not change: its two rendered
// texts, the old history quoted in the first, and what the other fields hash to.
#pragma once

#include <array>
#include <string>

#include "layers/cached_history.h"
#include "layers/text_layer.h"

namespace strata::layers {

class TextLayers {
 public:
  TextLayer staticRenderer{Layer::kStatic};
  TextLayer dynamicRenderer{Layer::kDynamic};
  /// Of tools, toolConfig, generationConfig and safetySettings, in the order of the body.
  std::array<HashedBytes, 4> fieldHashes;

  /// The first `turns` turns as JSON; quoted again only when they are others.
  const std::string& quoted(const thread::Thread& thread, size_t turns) {
    const Digest& digest = thread.checkpointAfter(turns).digest;
    if (turns != turns_ || digest != digest_) quoted_ = quoteHistory(thread, turns);
    turns_ = turns;
    digest_ = digest;
    return quoted_;
  }

  const RenderedText& staticLayer() const { return staticRenderer.rendered(); }
  const RenderedText& dynamicLayer() const { return dynamicRenderer.rendered(); }

 private:
  std::string quoted_;
  size_t turns_ = 0;
  Digest digest_{};
};

}  // namespace strata::layers
