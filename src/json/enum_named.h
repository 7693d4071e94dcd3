// Reads an enumerator from its name.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "json/value.h"

namespace strata::json {

/// Returns the enumerator whose name is the string `value`, or nullopt if `names` does not contain
/// it. The enumerators must be 0 to N - 1, and `names` must be in their order.
template <typename Enum, size_t N>
std::optional<Enum> enumNamed(Value value, const std::array<std::string_view, N>& names) {
  for (size_t i = 0; i < N; ++i) {
    if (value.equals(names[i])) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace strata::json
