// Reads an integer as ProtoJSON does (https://protobuf.dev/programming-guides/json/), which accepts
// 1024, 1024.0, 1.024e3 and "1024".
#pragma once

#include <cstdint>
#include <optional>

#include "json/value.h"

namespace strata::gemini {

/// Returns the integer that `value` denotes, or nullopt if it is not an integer or exceeds 2^53.
std::optional<int64_t> protoInteger(json::Value value);

}  // namespace strata::gemini
