// Rewrites the schemas that the API refuses.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "catalogue/finding.h"
#include "schemas/judge.h"

namespace strata::schemas {

/// A rewritten schema. Its path and function are those of the original.
struct Rewriting {
  std::string schema;            ///< JSON.
  Form form = Form::kGoogle;     ///< The field must change if the form does.
  catalogue::Findings repaired;  ///< Findings about the original that no longer apply.
  catalogue::Findings left;      ///< Findings about `schema`.
  ptrdiff_t errors = 0;          ///< How many errors stay.
};

/// Returns an equivalent schema with fewer errors, or nothing if there is none. A schema stays in
/// Google's Schema where that is enough, and otherwise becomes JSON Schema if `mayMove`.
std::optional<Rewriting> repairSchema(const Subject& subject, const catalogue::Target& target,
                                      bool mayMove);

/// Returns the equivalent JSON Schema with the keywords that are documented for Gemini, as far as
/// possible. The result fits parametersJsonSchema and responseJsonSchema. A schema of more than
/// 20,000 nodes stays as it is.
Rewriting toJsonSchema(const Subject& subject, const catalogue::Target& target);

}  // namespace strata::schemas
