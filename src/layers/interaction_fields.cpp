#include "layers/interaction_fields.h"

#include <utility>

#include "json/validated.h"

namespace strata::layers {

void InteractionFields::update(std::string options, const catalogue::Target& target) {
  if (model_ == target.model && options == options_) return;
  options_ = std::move(options);
  model_ = target.model;
  const json::Tape tape = json::readValidated(options_);
  interactions::InteractionFields converted =
      interactions::interactionFieldsOf(tape.root(), target);
  fields_.clear();
  for (interactions::BodyField& field : converted.fields) {
    const Digest digest = sha256(field.json);
    fields_.push_back({field.name, std::move(field.json), digest});
  }
  resolution_ = std::move(converted.resolution);
  findings_ = std::move(converted.findings);
}

std::string_view InteractionFields::jsonOf(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) return field.json;
  }
  return {};
}

}  // namespace strata::layers
