// Rewrites a JSON Schema in Google's Schema.
#pragma once

#include "gemini/backend.h"
#include "json/document.h"
#include "schemas/judge.h"

namespace strata::schemas {

/// Replaces what Google's Schema lacks by what it has, where that accepts and refuses the same
/// values: null in a union by `nullable`, a missing type by the type of the enum. Keeps everything
/// else as it is, also what the API refuses. `schema` is a result of `rewriteJsonSchema`.
void rewriteGoogleForm(json::Document& schema, Use use, gemini::Backend backend);

}  // namespace strata::schemas
