// Why this file exists: a history may only be cut where the API accepts what follows, and the cut
// must stay where it is for long, or no prefix is ever shared.
#pragma once

#include <cstdint>

#include "thread/thread.h"

namespace strata::compaction {

/// What a history that is split behind its first turns would be split between.
enum class CutPlace : uint8_t {
  kNone,  ///< Calls and their results, or anything else that belongs together.
  kTurn,  ///< What follows is a plain user Content: a turn.
  kStep,  ///< Two steps of one turn: what follows may stand behind another user Content, such as a
          ///< summary, and only then. So one endless tool loop can be compressed.
};

/// The place behind the first `turns` turns, of which there are some on either side.
CutPlace cutPlace(const thread::Thread& thread, size_t turns);

/// Whether the first `turns` turns can be taken away: what follows starts with a plain user
/// Content, and the newest model turn is in it.
bool isSafeCut(const thread::Thread& thread, size_t turns);

/// Where a history is cut, and why not further.
struct Cut {
  size_t turns = 0;          ///< In front of the buffer.
  bool heldByMedia = false;  ///< A turn with media kept it from going further.
};

/// How many turns stand before the buffer. Whenever the turns behind the cut reach `threshold`
/// tokens, everything before the newest safe cut moves at once; in between the cut stays. It
/// follows from the turns alone, so every request of a thread agrees on it. A negative threshold
/// never cuts. With `keepMedia` no turn with media is moved.
Cut cutAt(const thread::Thread& thread, int64_t threshold, bool keepMedia);

}  // namespace strata::compaction
