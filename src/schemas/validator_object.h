// Recognizes the object of a validator library, such as zod, in place of a JSON Schema.
#pragma once

#include <string>

#include "json/value.h"

namespace strata::schemas {

/// Returns whether JSON.stringify has written `schema` from an object of zod 3 or 4 or of another
/// library with the Standard Schema interface (https://standardschema.dev).
bool isValidatorObject(json::Value schema);

/// Returns the name of the library, such as "zod".
std::string validatorName(json::Value schema);

}  // namespace strata::schemas
