// Converts what surrounds the history in the body of a generateContent request: instruction, tools,
// configuration, schemas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interactions/convert.h"

namespace strata::interactions {

/// A field of a body.
struct BodyField {
  std::string_view name;
  std::string json;
};

struct InteractionFields {
  std::vector<BodyField> fields;  ///< In the order of the body.
  std::string resolution;         ///< Of the media in the history, or "".
  catalogue::Findings findings;
};

/// Returns the fields of an Interactions body for those of a generateContent body, an object, other
/// than `contents` and `store`. Where a `convert.refused` is found, the request would mean
/// something else.
InteractionFields interactionFieldsOf(json::Value body, const catalogue::Target& target);

}  // namespace strata::interactions
