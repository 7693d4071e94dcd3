// Holds what successive requests of a thread reuse: the two rendered texts, the quoted history, and
// what is known of the other fields.
#pragma once

#include <array>
#include <string>

#include "layers/cached_history.h"
#include "layers/request_field.h"
#include "layers/text_layer.h"

namespace strata::layers {

/// tools, toolConfig, generationConfig, safetySettings, serviceTier, store and labels, in the order
/// of the body.
using RequestFields = std::array<RequestField, 7>;

class TextLayers {
 public:
  TextLayer staticRenderer{Layer::kStatic};
  TextLayer dynamicRenderer{Layer::kDynamic};
  RequestFields fields;
  RequestField& tools() { return fields[0]; }
  RequestField& toolConfig() { return fields[1]; }

  /// Returns the first `turns` turns, quoted as JSON (see quoteHistory). They are quoted again only
  /// if the turns differ from those of the previous call. The reference is valid until the next
  /// call.
  const std::string& quotedHistory(const thread::Thread& thread, size_t turns) {
    const Digest& digest = thread.checkpointAfter(turns).digest;
    if (turns != turns_ || digest != digest_) quotedHistory_ = quoteHistory(thread, turns);
    turns_ = turns;
    digest_ = digest;
    return quotedHistory_;
  }

  const RenderedText& staticLayer() const { return staticRenderer.rendered(); }
  const RenderedText& dynamicLayer() const { return dynamicRenderer.rendered(); }

 private:
  std::string quotedHistory_;
  size_t turns_ = 0;
  Digest digest_{};
};

}  // namespace strata::layers
