// Reads JSON that was validated when it was stored, such as the Contents of a thread.
#pragma once

#include <string_view>

#include "json/tape.h"

namespace strata::json {

/// Returns the tape of `bytes`, which must be valid JSON.
Tape readValidated(std::string_view bytes);

}  // namespace strata::json
