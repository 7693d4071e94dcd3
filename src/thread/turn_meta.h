// Reads what a caller says about a turn.
#pragma once

#include "json/options_reader.h"

namespace strata::thread {

/// Checks the caller's TurnMeta, which is saved as it is. Returns an error of the reader.
Status checkTurnMeta(json::OptionsReader meta);

}  // namespace strata::thread
