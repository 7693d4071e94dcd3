// Replaces ranges of turns, for masking and compression, by building a new thread. All other turns
// keep their bytes.
#pragma once

#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::thread {

/// Replaces the turns `[from, to)` with `contents`, each the JSON of one Content.
struct Replacement {
  size_t from = 0;
  size_t to = 0;
  std::vector<std::string_view> contents;
};

/// Returns a copy of `thread` with the replacements applied. They must be in order and must not
/// overlap. Turns before the first replacement share the bytes of `thread`; the others are appended
/// under the policy `warn`, so check the findings of the result. Errors: `field.invalid` with the
/// path `/<replacement>` for turns that do not exist or are out of order; `json.*` with a path
/// below it for a Content that is not JSON.
Result<Thread> rewrite(const Thread& thread, const std::vector<Replacement>& replacements);

}  // namespace strata::thread
