// Converts media to Parts: data URLs and base64 to inlineData, other URLs to fileData.
#pragma once

#include <string>
#include <string_view>

namespace strata::dialects {

/// Returns a Part for `data`: a data URL (RFC 2397), another URL, or base64. `type` is its media
/// type, or "" if it is unknown. A missing type, or a wildcard such as `image/*`, is derived from
/// the data or the extension of the URL if possible.
std::string mediaPart(std::string_view data, std::string type, bool thought = false,
                      std::string_view signature = {});

/// Returns the media type of a sound in the `format` of OpenAI's `input_audio`: a name such as
/// `wav`, or a media type.
std::string audioType(std::string format);

/// Returns an inlineData Part for `bytes`.
std::string bytesPart(std::string_view bytes, std::string_view type);

}  // namespace strata::dialects
