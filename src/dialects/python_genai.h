// Why this file exists: python-genai writes Contents with snake_case names and base64url bytes. The
// API reads both, but two spellings in one history share no prefix, and stream assembly knows one.
#pragma once

#include <string>

#include "dialects/import_notes.h"
#include "json/value.h"

namespace strata::dialects {

/// A Content with the names of its known fields in camelCase and its bytes in standard base64; all
/// else, arguments and results first, stays as it is. "" where nothing had to change. What changed
/// is noted.
std::string respelled(json::Value content, const Path& path, Notes& notes);

}  // namespace strata::dialects
