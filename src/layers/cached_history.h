// Quotes the history before the buffer as data, to be sent as text in layer 1.
#pragma once

#include <string>

#include "thread/thread.h"

namespace strata::layers {

/// Returns the first `turns` Contents as a JSON array of `{"role":…,"parts":[…]}`. The data of each
/// Part keeps its bytes. Thoughts, thoughtSignatures and empty texts are left out: they have no
/// meaning in a text. O(bytes).
std::string quoteHistory(const thread::Thread& thread, size_t turns);

/// Returns `quoted` between <cached_history> tags, to append to a static text that does not render
/// the history itself.
std::string fenceHistory(const std::string& quoted);

}  // namespace strata::layers
