// Why this file exists: what a manifest says of the code that made it. package.json has the same
// version; the build checks it.
#pragma once

#include <string_view>

namespace strata {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace strata
