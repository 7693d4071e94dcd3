// Writes and reads base64url without padding (RFC 4648, section 5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {

/// The number of characters of `size` bytes.
constexpr size_t base64UrlSize(size_t size) { return (size * 4 + 2) / 3; }

/// Writes `bytes` as base64url without padding to `to`, and returns the end.
char* writeBase64Url(char* to, std::string_view bytes);
/// Appends the same.
void appendBase64Url(std::string& out, std::string_view bytes);

/// Returns the bytes of base64url without padding, or nullopt for any other text. Unused bits of
/// the last character must be 0, so that there is one text for each byte string.
std::optional<std::string> readBase64Url(std::string_view text);

}  // namespace strata
