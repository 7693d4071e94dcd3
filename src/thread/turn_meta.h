// Reads what a caller says about a turn, and keeps the steps in which a turn came.
//
// A turn of the Interactions API is a Content in the log, which is converted, and the steps as they
// came in the member `steps` of its metadata: an array, or the text of one that has line feeds,
// because a saved turn is a line.
#pragma once

#include <string>
#include <string_view>

#include "json/options_reader.h"

namespace strata::thread {

/// Checks the caller's TurnMeta, which is saved as it is. `hasSteps`: it comes from a thread, and
/// may have the steps of the turn. Returns an error of the reader.
Status checkTurnMeta(json::OptionsReader meta, bool hasSteps = false);

/// Returns the array of the steps in which a turn with this metadata came, or "".
std::string stepsIn(json::Value meta);
std::string stepsIn(std::string_view meta);
/// Returns the metadata, an object or "", with these steps, an array.
std::string withSteps(std::string_view meta, std::string_view steps);
/// Returns the metadata without steps, for a turn whose Content was changed: they say what it was.
std::string withoutSteps(std::string_view meta);

}  // namespace strata::thread
