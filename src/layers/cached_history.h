// Why this file exists: history older than the buffer goes to layer 1 as text, quoted as data.
#pragma once

#include <string>

#include "thread/thread.h"

namespace strata::layers {

/// The first `turns` Contents as a JSON array of `{"role":…,"parts":[…]}`: text, calls and results
/// as they came, without signatures and thoughts, which mean nothing in a text.
std::string quoteHistory(const thread::Thread& thread, size_t turns);

/// The same, fenced, for a static text that has no place of its own for it.
std::string fenceHistory(const std::string& quoted);

}  // namespace strata::layers
