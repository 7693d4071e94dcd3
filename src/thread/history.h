// Reads the histories of both wires: the saved form of a thread, Contents, and steps.
#pragma once

#include <string_view>

#include "thread/saved_form.h"
#include "thread/thread.h"

namespace strata::thread {

/// Appends a history to an empty thread under the policy `warn`, so check `thread.findings()`. The
/// history is a saved thread, an array of Contents or steps, or a request with `contents`; white
/// space alone adds nothing. The records after the last turn of a saved thread are added to
/// `records`. Errors: those of `loadSaved`, `appendSteps` and `json::Tape::read`, and
/// `field.invalid` with the offset and path of a value that is no Content; the thread may then hold
/// some of the turns. Complexity: O(bytes).
Status loadHistory(Thread& thread, std::string_view bytes, std::vector<CallRecord>& records);

}  // namespace strata::thread
