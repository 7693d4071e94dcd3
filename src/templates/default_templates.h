// Embeds the default templates of templates/, because the core cannot read files.
#pragma once

#include <string_view>

#include "layers/layer_template.h"

namespace strata::templates {

/// Returns the default template of layer 1 (kStatic) or 2 (kDynamic).
inline std::string_view defaultTemplate(layers::Layer layer) {
#include "templates/default_templates.inc"
  return layer == layers::Layer::kStatic ? kStaticTemplate : kDynamicTemplate;
}

}  // namespace strata::templates
