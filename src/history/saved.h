// Why this file exists: a thread is saved as NDJSON, one turn a line, and comes back exactly.
//
//     {"strata":1,"kind":"model","meta":{…},"content":{…}}
//
// A Content whose bytes hold a line feed, or white space around them, stands as a JSON string under
// "contentText" instead.
#pragma once

#include <string_view>

#include "history/thread.h"
#include "json/segments.h"

namespace strata::history {

/// The lines of a thread, borrowing its Contents.
json::Segments save(const Thread& thread);

/// Adds a saved thread, or an array of Contents, or an object with `contents`, to an empty thread.
/// Nothing is refused here: judge `thread.findings()`. Errors: bytes that can't be read, with the
/// path `/<line>` or the path into the array.
Status load(Thread& thread, std::string_view bytes);

}  // namespace strata::history
