// Why this file exists: a thread is saved as NDJSON, one turn a line, and comes back exactly.
//
//     {"strata":1,"kind":"model","meta":{…},"content":{…}}
//
// A Content whose bytes hold a line feed, or white space around them, stands as a JSON string under
// "contentText" instead.
#pragma once

#include <string_view>

#include "base/segments.h"
#include "thread/thread.h"

namespace strata::thread {

/// The lines of a thread, borrowing its Contents.
Segments save(const Thread& thread, size_t from = 0);

/// Whether these are the lines of a saved thread: the first says so, even where it is broken.
bool isSaved(std::string_view bytes);

/// Adds a saved thread to an empty one. Nothing is refused here: judge `thread.findings()`. Errors:
/// bytes that can't be read, with the path `/<line>`.
Status loadSaved(Thread& thread, std::string_view bytes);

}  // namespace strata::thread
