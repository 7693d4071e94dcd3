#include "compaction/cut.h"

#include <algorithm>

#include "lint/turn_order.h"

namespace strata::compaction {
namespace {

// Returns the newest position, at most `opening`, where a turn begins and no call is open, or 0.
size_t turnAt(const thread::Thread& thread, int32_t opening) {
  while (opening > 0) {
    const auto turns = static_cast<size_t>(opening);
    if (splitPointAt(thread, turns) == SplitPoint::kTurn) return turns;
    opening = thread.checkpointAfter(turns).state.plainOpeningIndex;
  }
  return 0;
}

// Returns the newest allowed cut among the first `turns` turns: the plain user Content that opened
// the turn of the newest model Content.
size_t newestCut(const thread::Thread& thread, size_t turns) {
  const int32_t model = thread.checkpointAfter(turns).state.lastModelIndex;
  if (model < 0) return 0;
  return turnAt(thread, thread.checkpointAfter(static_cast<size_t>(model)).state.plainOpeningIndex);
}

// Returns the newest cut, at most `cut`, that moves no turn with media. Turns before `from` have
// moved already.
size_t newestCutBeforeMedia(const thread::Thread& thread, size_t from, size_t cut) {
  for (size_t i = from; i < cut; ++i) {
    const thread::Checkpoint& turn = thread.checkpointAfter(i + 1);
    if (turn.hasMedia) return turnAt(thread, turn.state.plainOpeningIndex);
  }
  return cut;
}

}  // namespace

SplitPoint splitPointAt(const thread::Thread& thread, size_t turns) {
  if (turns == 0 || turns >= thread.size()) return SplitPoint::kNone;
  const lint::SequenceState& before = thread.checkpointAfter(turns).state;
  const lint::SequenceState& after = thread.checkpointAfter(turns + 1).state;
  if (lint::opensTurn(before, after)) return SplitPoint::kTurn;
  const bool isStep = after.hasOpenCalls() && before.endsWithResponses();
  const bool complete = isStep && thread.checkpointAfter(turns - 1).state.calls == before.responses;
  return complete ? SplitPoint::kStep : SplitPoint::kNone;
}

bool isSafeSplitPoint(const thread::Thread& thread, size_t turns) {
  if (turns == 0) return true;
  return turns <= newestCut(thread, thread.size()) &&
         splitPointAt(thread, turns) == SplitPoint::kTurn;
}

Cut findCut(const thread::Thread& thread, int64_t threshold, bool keepMedia) {
  Cut cut;
  if (threshold < 0 || thread.tokens() < threshold) return cut;
  for (size_t turns = 1; turns <= thread.size(); ++turns) {
    cut.blockedByMedia = false;
    if (thread.checkpointAfter(turns).tokens - thread.checkpointAfter(cut.turns).tokens < threshold)
      continue;
    const size_t newest = newestCut(thread, turns);
    if (newest <= cut.turns) continue;
    const size_t allowed = keepMedia ? newestCutBeforeMedia(thread, cut.turns, newest) : newest;
    cut.blockedByMedia = allowed < newest;
    cut.turns = std::max(cut.turns, allowed);
  }
  return cut;
}

}  // namespace strata::compaction
