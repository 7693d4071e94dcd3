// Plans a request before anything is written: where the history is split, and whether the given
// cache replaces layer 1.
#pragma once

#include <optional>
#include <string>

#include "layers/input.h"
#include "layers/text_layers.h"
#include "thread/thread.h"

namespace strata::layers {

struct Plan {
  size_t cut = 0;       ///< The split point: turns before it are in layer 1 or the cache.
  bool cached = false;  ///< The given cache is used.
  std::string key;      ///< Identifies what a cache would hold for this request.
  catalogue::Findings findings;
};

/// Renders both text layers into `texts` and fills `plan`. A given cache that does not fit is a
/// warning in `plan.findings`; the request is then planned without it.
/// Returns a failure for invalid variables and, under `strict`, for a failing template.
std::optional<LayerFailure> makePlan(const thread::Thread& thread, const AssembleInput& input,
                                     TextLayers& texts, Plan& plan);

}  // namespace strata::layers
