// Why this file exists: what masks or sums up old turns never changes a log: it makes a new thread,
// in which all turns but those keep their bytes.
#pragma once

#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::thread {

/// Turns `from` to `to`, and the Contents that come in their place.
struct Replacement {
  size_t from = 0;
  size_t to = 0;
  std::vector<std::string_view> contents;
};

/// The thread with these replacements, which stand in order and do not overlap. Nothing is refused
/// here: judge its findings. Errors: `field.invalid` for turns that are not there, a Content that
/// is not JSON, with the path `/<replacement>`.
Result<Thread> rewrite(const Thread& thread, const std::vector<Replacement>& replacements);

}  // namespace strata::thread
