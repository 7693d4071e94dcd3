// Checks the saved form of a thread, for the targets that make threads.
#pragma once

#include <string>

#include "fuzz/cpp/checks.h"
#include "thread/saved_form.h"

namespace strata::fuzz {

/// Requires that a thread can be saved and loaded again without any change.
inline void requireSaves(const thread::Thread& thread, const test::Judge& judge) {
  requireReport(thread.findings(), thread.requestTarget());
  const std::string saved = thread::save(thread).join();
  thread::Thread loaded = judge.thread();
  require(static_cast<bool>(thread::loadSaved(loaded, saved)), "a saved thread loads", saved);
  require(loaded.size() == thread.size(), "a loaded thread has the same turns", saved);
  require(test::hexDigest(loaded) == test::hexDigest(thread), "a loaded thread has the same bytes",
          saved);
  require(loaded.tokens() == thread.tokens(), "a loaded thread has the same tokens", saved);
  require(thread::save(loaded).join() == saved, "a loaded thread saves to the same bytes", saved);
}

}  // namespace strata::fuzz
