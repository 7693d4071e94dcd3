// Describes each turn of a thread as JSON: what it is, whether a request that ends there is valid,
// and which response answers which call.
#pragma once

#include <cstddef>
#include <span>

#include "json/text_place.h"
#include "json/writer.h"
#include "thread/thread.h"

namespace strata::thread {

struct TimelineOptions {
  size_t from = 0;                               ///< The first turn that is written.
  bool content = false;                          ///< Whether each turn has its Content.
  std::span<const json::TextRange> ranges = {};  ///< Where each turn is in its text, if anywhere.
};

/// Writes the turns of `thread` as two members of an open object:
///
///     "turns":[{"index":1,"kind":"model","role":"model","tokens":12,"turn":0,"step":0,
///       "isCurrentTurn":true,"canCutBefore":false,"verdict":"open","refusedBy":[],"parts":1,
///       "thoughts":0,"signatures":1,"excerpt":"","calls":[{"part":0,"id":"1","name":"f",
///       "args":{},"signed":true,"response":{"index":2,"part":0}}],"responses":[]}],
///     "firstRefused":1
///
/// A turn has `range` and `content` as the options say, and `"form":"steps"` if it came as steps.
/// `firstRefused`, of all turns, is missing if no request that ends at a turn is refused.
/// web/sdk/types/timeline.ts explains the members. Linear in the Contents that are written, plus
/// O(1) for each turn before them.
void writeTimeline(json::Writer& out, const Thread& thread, const TimelineOptions& options);

}  // namespace strata::thread
