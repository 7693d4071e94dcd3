// Says which names of functions the API accepts.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata::gemini {

inline constexpr size_t kMaxFunctionName = 64;

/// Returns whether `c` may stand in the name of a function; at its start only letters and `_` may.
bool isFunctionNameCharacter(char c);

/// Returns whether the API accepts `name` as the name of a function.
///
/// Source: FunctionDeclaration.name in googleapis/googleapis,
/// google/ai/generativelanguage/v1beta/content.proto, and in googleapis/js-genai, src/types.ts.
bool isFunctionName(std::string_view name);

}  // namespace strata::gemini
