// Why this file exists: what shrinks a thread, as replies over the border: the shell decides when,
// keeps what is taken out, and makes the new thread.
#pragma once

#include <string>

#include "json/value.h"
#include "thread/thread.h"

namespace strata::bindings {

/// Old results of tools as masks. `options`: protect, least, exempt. Replies {"edits":[{"turn":…,
/// "content":"…","outputs":[{"part":…,"name":…,"tokens":…,"kept":…,"response":"…"}]}]}.
std::string maskReply(const thread::Thread& thread, json::Value options);

/// Results over a budget, each shortened to `characters`. `options`: budget, characters, prefix.
/// Replies as above.
std::string shortenReply(const thread::Thread& thread, json::Value options);

/// {"turns":…,"opening":…,"kept":…}: how many turns a summary may replace (none for a fraction
/// that is not between 0 and 1); the turn that asked for what goes on behind them, -1 where that
/// is behind them too; and a name for them. `options`: fraction.
std::string compressionReply(const thread::Thread& thread, json::Value options);

/// {"budget":…,"threshold":…,"target":…,"turns":…,"opening":…,"kept":…,"diagnostic":…}: what a
/// history may have, and what would be left out of it. `options`: contextTokens, reserve,
/// summaryTokens.
std::string budgetReply(const thread::Thread& thread, json::Value options);

}  // namespace strata::bindings
