// Computes the edits that make a thread smaller, as JSON for the TypeScript shell. The shell
// decides when to apply them, stores what they remove, and calls `ThreadBinding::rewrite`.
#pragma once

#include <string>

#include "json/value.h"
#include "thread/thread.h"

namespace strata::bindings {

/// Masks old tool outputs. `options`: protect, least, exempt. Returns {"edits":[{"turn":…,
/// "content":"…","outputs":[{"part":…,"name":…,"tokens":…,"storedAs":…,"response":"…"}]}]}, where
/// `content` is the new Content, `kept` the name to store the old `response` under.
std::string maskReply(const thread::Thread& thread, json::Value options);

/// Shortens the tool outputs that exceed a budget to about `characters` each. `options`: budget,
/// characters, prefix. Returns the same form as `maskReply`.
std::string shortenReply(const thread::Thread& thread, json::Value options);

/// Returns {"turns":…,"opening":…,"storedAs":…}: how many turns a summary may replace (0 unless
/// 0 < fraction < 1); the user Content that opened the turn which is split, or -1 if the split is
/// between turns; and the name to store the replaced turns under. `options`: fraction.
std::string compressionReply(const thread::Thread& thread, json::Value options);

/// Returns {"budget":…,"threshold":…,"target":…,"turns":…,"opening":…,"storedAs":…,"diagnostic":…}:
/// the limits of a history, and the turns to leave out so that the rest and a summary fit.
/// `options`: contextTokens, reserve, summaryTokens.
std::string budgetReply(const thread::Thread& thread, json::Value options);

}  // namespace strata::bindings
