// Saves a thread as NDJSON, one turn per line, and loads it back byte for byte.
//
//     {"strata":1,"kind":"model","meta":{…},"content":{…}}
//
// The first line of a thread whose sequencing is not strict has the member "sequencing":"api" after
// its kind. A Content that contains a line feed, or has white space around it, is written as a JSON
// string under "contentText" instead. Between turns, a store may hold records of calls that were
// running when the process ended; a turn after them makes them obsolete:
//
//     {"strata":1,"kind":"started","index":0}
//     {"strata":1,"kind":"result","index":1,"result":{…}}
//
// Notes are the shell's (web/sdk/chat/journal.ts), stand anywhere, and are skipped:
//
//     {"strata":1,"kind":"note","name":"removed","value":[…]}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/segments.h"
#include "thread/thread.h"

namespace strata::thread {

/// Returns the lines of the turns from `from` on. The segments borrow from the thread's log and are
/// valid until the thread, or a fork that shares its log, is appended to.
Segments save(const Thread& thread, size_t from = 0);

/// What was stored about one open call while other calls of its step were running.
struct CallRecord {
  uint32_t index = 0;  ///< The position of the call among the open calls.
  std::string result;  ///< Its response, a JSON value; "" if the call had only started.
};

/// Returns the line of a record, without a line feed.
std::string recordLine(const CallRecord& record);

/// Returns a member of the metadata of the newest model turn as JSON, or "". Linear in its
/// metadata.
std::string lastMeta(const Thread& thread, std::string_view member);

/// Returns whether `bytes` are a saved thread: whether the first line that is not blank starts as a
/// saved turn or has the key "strata". The rest may be damaged.
bool isSaved(std::string_view bytes);

/// Appends the turns of a saved thread to an empty one under the policy `warn`, so check
/// `thread.findings()`. The thread gets the saved sequencing; a form without one is strict. Blank
/// lines are skipped. The records after the last turn are added to `records`; older ones are not
/// read. Errors: `field.invalid` or `json.*`, with a path that starts with `/<line>`, counted from
/// 0, and the byte offset in `bytes`; the turns before that line have been added.
Status loadSaved(Thread& thread, std::string_view bytes,
                 std::vector<CallRecord>* records = nullptr);

}  // namespace strata::thread
