// Why this file exists: the last Content of a request is what the model answers to: a new
// instruction, or the user's words or tool results that end the thread.
#pragma once

#include <string>
#include <string_view>

#include "layers/input.h"
#include "thread/thread.h"

namespace strata::layers {

struct Trigger {
  std::string own;         ///< The Content made of an instruction, or "".
  std::string_view given;  ///< The Content that the caller gave, or that ends the thread.
  size_t end = 0;          ///< Turns in front of it are history.
  bool inThread = false;
  uint32_t tokens = 0;
  lint::SequenceState state;  ///< Of the history with the trigger behind it.
  catalogue::Findings findings;

  std::string_view bytes() const { return own.empty() ? given : own; }
  bool missing() const { return bytes().empty(); }
};

/// A non-blank instruction or a Content, else the thread's last Content if it is a user's. Words
/// that the thread ends with already are sent once. Errors: a Content that is not JSON.
Result<Trigger> chooseTrigger(const thread::Thread& thread, const AssembleInput& input);

/// The user Content that says `text`: the bytes that `assemble` sends and a thread should keep.
std::string instructionContent(std::string_view text);

}  // namespace strata::layers
