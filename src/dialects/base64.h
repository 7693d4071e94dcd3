// Converts bytes and base64url to standard base64 (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace strata::dialects {

/// Returns base64url `text` in the standard alphabet, padded. Returns other text unchanged, and
/// also the documented placeholder signatures, which only look like base64url.
std::string standardBase64(std::string_view text);

/// Returns `bytes` as standard base64, padded.
std::string toBase64(std::string_view bytes);

}  // namespace strata::dialects
