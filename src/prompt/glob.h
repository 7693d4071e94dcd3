// Matches file paths against globs; a skill names its files with them.
#pragma once

#include <string_view>

namespace strata::prompt {

/// Returns true if `glob` matches all of `path`. `?` matches one byte other than `/`, `*` any bytes
/// within a segment, `**` any bytes across segments, `**/` zero or more whole segments. A glob
/// without a slash is matched against the last segment only. At worst O(glob × path).
bool matchesGlob(std::string_view glob, std::string_view path);

}  // namespace strata::prompt
