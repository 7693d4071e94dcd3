// Why this file exists: when tools have answered there is no new message, but templates still ask
// what the user said and in which language.
#pragma once

#include <string>

#include "json/value.h"

namespace strata::prompt {

struct UserMessage {
  std::string text;
  std::string language;
};

/// The message of `sources`, which is an ArgumentSources: what it says itself, an empty text or
/// language too; else the newest user message of its `history`, and the newest language that a user
/// message there has; else the `client.language` of its `metadata`, where that is text; else "".
UserMessage findUserMessage(json::Value sources);

}  // namespace strata::prompt
