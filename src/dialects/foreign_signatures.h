// Keeps, strips or replaces the thoughtSignatures of a thread that another model or service made.
#pragma once

#include "dialects/import.h"

namespace strata::dialects {

/// Applies `mode` to all turns of `thread` and appends what changed to `notes`. The meta of a turn
/// names the model and backend that made it. Replaces `thread` unless the mode is kKeep, so views
/// into it become invalid.
///
/// Source: "Thought signatures", https://ai.google.dev/gemini-api/docs/thought-signatures.
void rewriteForeignSignatures(thread::Thread& thread, ForeignSignatures mode,
                              catalogue::Findings& notes);

}  // namespace strata::dialects
