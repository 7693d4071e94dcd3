#include "layers/arguments/merge.h"

#include "layers/arguments/argument_tree.h"

namespace strata::layers {

std::string mergeMaps(const std::vector<json::Value>& maps) {
  ArgumentTree merged;
  for (const json::Value map : maps) merged.merge(map);
  json::Writer out;
  merged.write(out);
  return out.take();
}

}  // namespace strata::layers
