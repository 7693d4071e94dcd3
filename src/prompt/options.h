// Reads prompt options, whose names may be written in snake_case (per_file) or camelCase (perFile).
#pragma once

#include <string>
#include <string_view>

#include "json/options_reader.h"

namespace strata::prompt {

/// Returns a reader of `object`, whose path in the caller's options is `path`.
inline json::OptionsReader promptOptions(json::Given object, std::string path = {}) {
  return json::OptionsReader(object, std::move(path), json::Spelling::kSnakeOrCamel);
}

/// Returns the member `name` (in snake_case) of `object`, or the same name in camelCase; snake_case
/// wins. Returns an absent Value if there is neither, or if the value is null.
json::Value option(json::Value object, std::string_view name);

}  // namespace strata::prompt
