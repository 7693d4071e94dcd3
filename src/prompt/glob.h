// Why this file exists: skills say which files they are for in globs.
#pragma once

#include <string_view>

namespace strata::prompt {

/// Whether `glob` matches all of `path`: `?` is one byte, `*` any within a segment, `**` any
/// segments; a glob without a slash is about the last segment.
bool matchesGlob(std::string_view glob, std::string_view path);

}  // namespace strata::prompt
