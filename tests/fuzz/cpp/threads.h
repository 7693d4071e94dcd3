// Checks the saved form and the timeline of a thread, for the targets that make threads.
#pragma once

#include <string>

#include "fuzz/cpp/checks.h"
#include "thread/saved_form.h"
#include "thread/timeline.h"

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

/// Requires that each turn of a thread can be described.
inline void requireTimeline(const thread::Thread& thread) {
  json::Writer out;
  out.open('{');
  thread::writeTimeline(out, thread, {});
  const std::string_view text = out.close('}').text();
  const Result<json::Tape> tape = json::Tape::read(text);
  require(static_cast<bool>(tape), "a timeline is JSON", text);
  require(tape.value().root().find("turns").size() == thread.size(), "a timeline has all turns",
          text);
}

}  // namespace strata::fuzz
