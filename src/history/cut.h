// Why this file exists: a history may only be cut where the API accepts what follows, and the cut
// must stay where it is for long, or no prefix is ever shared.
#pragma once

#include <cstdint>

#include "history/thread.h"

namespace strata::history {

/// Whether the first `turns` turns can be taken away: what follows starts with a plain user
/// Content, and the newest model turn is in it.
bool isSafeCut(const Thread& thread, size_t turns);

/// How many turns stand before the buffer. Whenever the turns behind the cut reach `threshold`
/// tokens, everything before the newest safe cut moves at once; in between the cut stays. It
/// follows from the turns alone, so every request of a thread agrees on it. A negative threshold
/// never cuts. With `keepMedia` no turn with media is moved.
size_t cutAt(const Thread& thread, int64_t threshold, bool keepMedia);

}  // namespace strata::history
