// Turns JSON that a Tape has read into documents: trees that can be built, edited and written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "json/value.h"

namespace strata::json {

/// A JSON tree whose objects keep the order of their members. Include <nlohmann/json.hpp> only in
/// source files: it costs seconds to compile. Text is never parsed by that library, because its
/// parser is large and aborts without exceptions; read text with `Tape::read`, then `toDocument`.
using Document = nlohmann::ordered_json;

/// Returns a copy of `value` and everything in it; null for an absent Value. A number that is not a
/// 64-bit integer becomes the nearest double, and a lone surrogate becomes U+FFFD. Linear in the
/// size of the value.
Document toDocument(Value value);

/// Returns `document` as JSON without white space. Invalid UTF-8 becomes U+FFFD; infinity and NaN
/// become null.
std::string toText(const Document& document);

}  // namespace strata::json
