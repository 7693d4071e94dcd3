// Why this file exists: clients write bytes as base64, as base64url, or not as text at all.
#pragma once

#include <string>
#include <string_view>

namespace strata::dialects {

/// `text` in the standard alphabet, padded; as it is where it holds nothing of base64url. The
/// documented placeholders look like base64url and stay.
std::string standardBase64(std::string_view text);

/// Bytes as standard base64.
std::string toBase64(std::string_view bytes);

}  // namespace strata::dialects
