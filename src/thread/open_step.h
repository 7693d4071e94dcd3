// Repairs the open end of a thread together with a Content that is being appended. Earlier turns
// are sealed and never change, so rewinding, forking, and saving stay slices of the log.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::thread {

/// The repaired end of a thread.
struct RepairedStep {
  size_t from = 0;                    ///< The turns that stay; `contents` follow them.
  std::vector<std::string> contents;  ///< Replaces every turn from `from` on.
  catalogue::Findings repairs;        ///< Their positions refer to the turns before the repair.
};

/// Repairs the open turns of `thread` together with `appended`, the JSON of one Content. Returns
/// nullopt if an error remains. The thread is not changed. `provenance` names who issued the
/// signatures of `appended`. The cost depends on the open step, not on the length of the thread.
std::optional<RepairedStep> repairOpenStep(const Thread& thread, std::string_view appended,
                                           const lint::Provenance& provenance);

/// A Content with placeholder signatures.
struct SignedContent {
  std::string bytes;
  catalogue::Findings repairs;
};

/// Repairs `appended`, the JSON of one Content, on its own, as the answer to a user turn, and adds
/// the documented placeholder signature to functionCalls that lack one. Returns nullopt if an error
/// remains, or if the Content has no functionCalls. The edits are those of `repair::repairTurns`
/// with `dummySignatures`.
std::optional<SignedContent> addPlaceholders(const Thread& thread, std::string_view appended);

}  // namespace strata::thread
