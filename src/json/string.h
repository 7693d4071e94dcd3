// Why this file exists: JSON string literals, read and written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends what `raw` (the inside of a valid JSON string) spells, as UTF-8. A lone surrogate
/// becomes U+FFFD: it has no UTF-8 form.
void appendUnescaped(std::string& out, std::string_view raw);

/// Whether an escape in `raw` spells half of a surrogate pair.
bool hasLoneSurrogate(std::string_view raw);

/// Appends `text` (valid UTF-8) as a JSON string, quotes included. Escapes only what JSON demands.
void appendQuoted(std::string& out, std::string_view text);

/// The same without the quotes.
void appendEscaped(std::string& out, std::string_view text);

/// The value of four hexadecimal digits, or -1.
int32_t hexQuad(std::string_view text, size_t at);

}  // namespace strata::json
