// Why this file exists: a picture comes as a data URL, as an address, or as bare base64, with or
// without its type. Parts know inlineData and fileData.
#pragma once

#include <string>
#include <string_view>

namespace strata::dialects {

/// A Part for `data`: a data URL, the address of a file, or base64. `type` is its media type, or ""
/// where nobody said it; what can be told from the data or the address is then told from there.
std::string mediaPart(std::string_view data, std::string type, bool thought = false,
                      std::string_view signature = {});

/// The same for bytes as they are.
std::string bytesPart(std::string_view bytes, std::string_view type);

}  // namespace strata::dialects
