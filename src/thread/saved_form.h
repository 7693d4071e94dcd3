// Saves a thread as NDJSON, one turn per line, and loads it back byte for byte.
//
//     {"strata":1,"kind":"model","meta":{…},"content":{…}}
//
// A Content that contains a line feed, or has white space around it, is written as a JSON string
// under "contentText" instead.
#pragma once

#include <string_view>

#include "base/segments.h"
#include "thread/thread.h"

namespace strata::thread {

/// Returns the lines of the turns from `from` on. The segments borrow from the thread's log and are
/// valid until the thread, or a fork that shares its log, is appended to.
Segments save(const Thread& thread, size_t from = 0);

/// Returns whether `bytes` are a saved thread: whether the first line that is not blank starts as a
/// saved turn or has the key "strata". The rest may be damaged.
bool isSaved(std::string_view bytes);

/// Appends the turns of a saved thread to an empty one under the policy `warn`, so check
/// `thread.findings()`. Blank lines are skipped. Errors: `field.invalid` or `json.*`, with a path
/// that starts with `/<line>`, counted from 0, and the byte offset in `bytes`; the turns before
/// that line have been added.
Status loadSaved(Thread& thread, std::string_view bytes);

}  // namespace strata::thread
