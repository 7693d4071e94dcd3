#include "layers/request_field.h"

#include "json/tape.h"
#include "tokens/estimate.h"

namespace strata::layers {

Status RequestField::read(std::string_view json) {
  if (json == json_) return {};
  if (!json.empty()) {
    const Result<json::Tape> tape = json::Tape::read(json);
    if (!tape) return tape.error();
  }
  json_ = json;
  isHashed_ = false;
  tokens_ = static_cast<uint32_t>(tokens::estimateText(json));
  return {};
}

const Digest& RequestField::digest() {
  if (!isHashed_) digest_ = sha256(json_);
  isHashed_ = true;
  return digest_;
}

}  // namespace strata::layers
