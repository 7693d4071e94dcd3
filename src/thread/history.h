// Reads histories that need no conversion: the saved form of a thread, and Contents.
#pragma once

#include <string_view>

#include "thread/thread.h"

namespace strata::thread {

/// Appends a history to an empty thread under the policy `warn`, so check `thread.findings()`. The
/// history is a saved thread, an array of Contents, or a request with `contents`; white space alone
/// adds nothing. Errors: those of `loadSaved` and `json::Tape::read`, and `field.invalid` with the
/// offset and path of a value that is no Content; the thread may then hold some of the turns.
/// Complexity: O(bytes).
Status loadHistory(Thread& thread, std::string_view bytes);

}  // namespace strata::thread
