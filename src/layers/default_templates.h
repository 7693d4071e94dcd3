// Embeds the default templates of templates/, because the core cannot read files.
#pragma once

#include <string_view>

#include "layers/text_layer.h"

namespace strata::layers {

/// Returns the default template of layer 1 (kStatic) or 2 (kDynamic).
inline std::string_view defaultTemplate(Layer layer) {
#include "layers/default_templates.inc"
  return layer == Layer::kStatic ? kStaticTemplate : kDynamicTemplate;
}

}  // namespace strata::layers
