// Finds the positions where the API accepts a history that is cut, and keeps the cut of a growing
// thread in place as long as possible, so that consecutive requests share a prefix.
#pragma once

#include <cstdint>

#include "thread/thread.h"

namespace strata::compaction {

/// What kind of position lies between two turns.
enum class SplitPoint : uint8_t {
  kNone,  ///< Not a split point: it would separate calls from their responses, for example.
  kTurn,  ///< The next turn is a plain user Content.
  kStep,  ///< Between two steps of one turn. What follows is only valid after another user Content,
          ///< such as a summary.
};

/// Returns the kind of the position after the first `turns` turns; kNone at either end of the
/// thread. Complexity: O(1), from the checkpoints.
///
/// Source: "Function calling", https://ai.google.dev/gemini-api/docs/function-calling: a
/// functionResponse directly follows its functionCall.
SplitPoint splitPointAt(const thread::Thread& thread, size_t turns);

/// Returns whether the first `turns` turns can be removed: the remaining history starts with a
/// plain user Content and still contains the newest model Content. True for 0 turns.
bool isSafeSplitPoint(const thread::Thread& thread, size_t turns);

/// A cut of a history.
struct Cut {
  size_t turns = 0;             ///< Turns before the cut.
  bool blockedByMedia = false;  ///< A turn with media keeps the cut from moving further.
};

/// Returns the cut between the moved turns and the buffer. When the turns after the cut reach
/// `threshold` tokens, the cut moves to the newest safe position; until then it stays. The result
/// depends only on the turns, so all requests of a thread agree on it. A negative threshold
/// disables cutting. With `keepMedia`, turns with media never move. Complexity: O(turns), plus
/// O(turns) for each move with `keepMedia`.
Cut findCut(const thread::Thread& thread, int64_t threshold, bool keepMedia);

}  // namespace strata::compaction
