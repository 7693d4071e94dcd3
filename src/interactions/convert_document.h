// Converts what somebody has of a conversation to the other wire: the body of a request, a list of
// Contents or steps, or a stored answer.
#pragma once

#include <string_view>

#include "interactions/convert_body.h"
#include "interactions/wire.h"

namespace strata::interactions {

struct DocumentOptions {
  Wire to = Wire::kInteractions;  ///< kInteractions or kGenerateContent.
  std::string_view model;         ///< Of requests whose body names none.
  ConvertOptions convert;
};

/// Returns the body of a request for a body, and a list of steps or Contents for such a list or for
/// an answer, also one of the API's own responses. What is for `to` already is returned as it is.
/// O(bytes of the document).
Converted convertDocument(json::Value document, const catalogue::Target& target,
                          const DocumentOptions& options);

}  // namespace strata::interactions
