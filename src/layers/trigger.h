// Chooses the trigger, the last Content of a request: a new instruction, a Content of the caller,
// or the user Content that ends the thread.
#pragma once

#include <string>
#include <string_view>

#include "layers/input.h"
#include "thread/thread.h"

namespace strata::layers {

struct Trigger {
  std::string owned;          ///< The Content built from an instruction, or "".
  std::string_view borrowed;  ///< The caller's Content, or the thread's last one.
  size_t end = 0;             ///< The number of turns before it, which are history.
  bool inThread = false;      ///< It is the thread's last Content.
  uint32_t tokens = 0;
  lint::SequenceState state;  ///< After the history and the trigger.
  catalogue::Findings findings;

  /// The view borrows from this object, the thread or the caller.
  std::string_view bytes() const { return owned.empty() ? borrowed : owned; }
  bool missing() const { return bytes().empty(); }
};

/// Returns the caller's non-blank instruction or Content, checked as the next turn of the thread.
/// If there is none, or if the thread already ends with the same user Content, returns the thread's
/// last Content, provided that it is a user Content. Otherwise the finding `trigger.missing` is
/// recorded. The result borrows from `thread` and `input`. Returns an error below "/trigger" for a
/// Content that is not JSON.
Result<Trigger> chooseTrigger(const thread::Thread& thread, const AssembleInput& input);

/// Returns a user Content with the one text `text`, byte for byte as `assemble` sends it.
std::string instructionContent(std::string_view text);

}  // namespace strata::layers
