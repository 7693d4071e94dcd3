// Decodes and encodes JSON strings (RFC 8259, section 7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::json {

/// Appends the text of `raw` as UTF-8, escapes resolved. A lone surrogate becomes U+FFFD, because
/// it has no UTF-8 form. Requires the content of a valid JSON string, without its quotes.
void appendUnescaped(std::string& out, std::string_view raw);

/// Returns whether `raw` has an escape of a surrogate without its pair. Requires the content of a
/// valid JSON string.
bool hasLoneSurrogate(std::string_view raw);

/// Returns `raw` with each such escape replaced by that of U+FFFD. Same requirement.
std::string replaceLoneSurrogates(std::string_view raw);

/// Returns whether `text` needs no escapes in a JSON string.
bool isPlain(std::string_view text);

/// Appends `text` as a JSON string with quotes. Escapes only what JSON requires. Requires valid
/// UTF-8.
void appendQuoted(std::string& out, std::string_view text);

/// Like `appendQuoted`, without the quotes.
void appendEscaped(std::string& out, std::string_view text);

/// Returns the value of the four hexadecimal digits at `at`, or -1 if there are not four.
int32_t hexQuad(std::string_view text, size_t at);

}  // namespace strata::json
