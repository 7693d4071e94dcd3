// Looks up what "$ref" names.
#pragma once

#include "json/value.h"

namespace strata::schemas {

/// Returns the schema in `root` that a reference names, by JSON Pointer (`#/$defs/City`), by
/// `$anchor` (`#city`) or as a whole (`#`); absent if there is none or if it is in another
/// document. Linear in `root`.
json::Value resolve(json::Value root, json::Value reference);

}  // namespace strata::schemas
