// Rewrites a schema as JSON Schema, with the keywords that are documented for Gemini.
#pragma once

#include "json/document.h"
#include "schemas/keywords.h"

namespace strata::schemas {

/// Rewrites a schema in either form as a JSON Schema that accepts and refuses the same values:
/// `nullable` becomes a union with null, type names become lower case, `const` becomes an enum of
/// one value, `definitions` becomes `$defs`, a reference beside other keywords moves into `anyOf`.
/// Keeps everything else as it is.
void rewriteJsonSchema(json::Document& schema, Form from);

/// Replaces the texts in enums of numeric types by their numbers: Google's form writes all values
/// of an enum as texts.
void readEnumNumbers(json::Document& schema);

}  // namespace strata::schemas
