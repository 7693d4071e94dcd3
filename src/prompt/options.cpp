#include "prompt/options.h"

namespace strata::prompt {

json::Value option(json::Value object, std::string_view name) {
  return json::OptionsReader(object, {}, json::Spelling::kSnakeOrCamel).given(name).value();
}

}  // namespace strata::prompt
