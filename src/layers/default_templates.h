// Why this file exists: the default prompts of templates/, which the core can't read from disk.
#pragma once

#include <string_view>

#include "layers/text_layer.h"

namespace strata::layers {

/// The template of layer 1 or 2.
inline std::string_view defaultTemplate(Layer layer) {
#include "layers/default_templates.inc"
  return layer == Layer::kStatic ? kStaticTemplate : kDynamicTemplate;
}

}  // namespace strata::layers
