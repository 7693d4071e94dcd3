// Why this file exists: findings name their place as a JSON Pointer (RFC 6901).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "json/value.h"

namespace strata::json {

/// Appends `/key`, with `~` and `/` escaped.
void appendPointer(std::string& pointer, std::string_view key);
/// Appends `/index`.
void appendPointer(std::string& pointer, size_t index);

/// Where a pointer leads: an element, or a member's key, and the container it stands in.
struct Place {
  Value container;
  Value item;
};

/// The value that `pointer` names; absent where it leads nowhere.
Value valueAt(Value root, std::string_view pointer);

/// Follows `pointer` from `root`; absent where it leads nowhere or is "".
Place locate(Value root, std::string_view pointer);

}  // namespace strata::json
