// Why this file exists: findings name their place as a JSON Pointer (RFC 6901).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends `/key`, with `~` and `/` escaped.
void appendPointer(std::string& pointer, std::string_view key);
/// Appends `/index`.
void appendPointer(std::string& pointer, size_t index);

}  // namespace strata::json
