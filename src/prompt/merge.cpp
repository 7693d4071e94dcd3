#include "prompt/merge.h"

#include "prompt/argument_tree.h"

namespace strata::prompt {

std::string mergeMaps(const std::vector<json::Value>& maps) {
  ArgumentTree merged;
  for (const json::Value map : maps) merged.merge(map);
  json::Writer out;
  merged.write(out);
  return out.take();
}

}  // namespace strata::prompt
