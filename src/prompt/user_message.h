// Finds the user's message and its language for templates, also when a request carries only
// functionResponses.
#pragma once

#include <string>

#include "json/value.h"

namespace strata::prompt {

struct UserMessage {
  std::string text;
  std::string language;
};

/// Returns the message of `sources`, an ArgumentSources. Text and language are taken from the first
/// of these that has them:
///   1. `message` (or `user`), even if the value is an empty string;
///   2. in `history`, the newest user message without functionResponses; the language is the newest
///      non-empty one of such messages;
///   3. for the language only, `client.language` in `metadata`.
/// Otherwise they are "". O(history).
UserMessage findUserMessage(json::Value sources);

}  // namespace strata::prompt
