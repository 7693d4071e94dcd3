// The version of the manifest document, which a compiled prompt and a request share.
#pragma once

#include <string_view>

namespace strata::prompt {

/// Of the document that web/sdk/schemas/manifest.json describes.
inline constexpr std::string_view kManifestVersion = "1";

}  // namespace strata::prompt
