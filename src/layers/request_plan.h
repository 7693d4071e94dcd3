// Why this file exists: before anything is written it is decided where the history is cut and
// whether a cache stands in for layer 1.
#pragma once

#include <optional>
#include <string>

#include "layers/input.h"
#include "layers/text_layers.h"
#include "thread/thread.h"

namespace strata::layers {

struct Plan {
  size_t cut = 0;       ///< Turns in front of it are in layer 1.
  bool cached = false;  ///< The given cache is used.
  std::string key;      ///< Of what a cache would hold now.
  catalogue::Findings findings;
};

/// Renders both texts into `texts` and fills `plan`.
std::optional<prompt::LayerFailure> makePlan(const thread::Thread& thread,
                                             const AssembleInput& input, TextLayers& texts,
                                             Plan& plan);

}  // namespace strata::layers
