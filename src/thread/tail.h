// Describes the end of a thread as JSON, so that callers need not parse Contents.
#pragma once

#include "json/writer.h"
#include "thread/thread.h"

namespace strata::thread {

/// Writes what the last turn is and what must follow it:
///
///     {"kind":"model","turns":2,"awaitsAnswer":true,"hasResponses":false,"blank":false,
///      "openCalls":[{"id":"1","name":"f","args":{}}]}
///
/// `kind` is "empty" for a thread without turns, otherwise the kind of the last turn.
/// `awaitsAnswer`: a user turn or functionResponses wait for the model, or functionCalls for their
/// responses. `openCalls`: the functionCalls of a model turn at the end, see `gemini::writeCalls`.
/// O(1), or linear in the last turn if it has functionCalls.
void writeTail(json::Writer& out, const Thread& thread);

/// Writes the same, and the text of the last turn: `text` is all its texts but thoughts, joined,
/// and `onlyText` says whether it is a user turn of one Part, a text. Linear in the last turn.
void writeTailWithText(json::Writer& out, const Thread& thread);

/// Writes `{"turns":3,"index":0,"text":"…"}`: the number of turns, and the newest user turn without
/// functionResponses with its text; -1 and "" if there is none. Linear in that turn.
void writeLastUserText(json::Writer& out, const Thread& thread);

}  // namespace strata::thread
