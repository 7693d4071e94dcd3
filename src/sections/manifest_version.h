// Defines the version of the manifest, which compiled prompts and assembled requests share.
#pragma once

#include <string_view>

namespace strata::sections {

/// The version of the format that src/layers/manifest.schema.json describes.
inline constexpr std::string_view kManifestVersion = "1";

}  // namespace strata::sections
