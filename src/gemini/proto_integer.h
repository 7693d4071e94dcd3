// Why this file exists: proto3 JSON writes one integer as 1024, 1024.0, 1e3 or "1024"; the API
// reads them all.
#pragma once

#include <cstdint>
#include <optional>

#include "json/value.h"

namespace strata::gemini {

/// The integer that a value spells for the API; nothing where it spells none.
std::optional<int64_t> protoInteger(json::Value value);

}  // namespace strata::gemini
