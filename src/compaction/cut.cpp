#include "compaction/cut.h"

#include <algorithm>

namespace strata::compaction {
namespace {

// The plain user Content that opened the turn of the newest model Content among the first `turns`:
// nothing behind it may move.
size_t newestCut(const thread::Thread& thread, size_t turns) {
  const int32_t model = thread.checkpointAfter(turns).state.newestModel;
  if (model < 0) return 0;
  const int32_t opening = thread.checkpointAfter(static_cast<size_t>(model)).state.plainOpening;
  return opening < 0 ? 0 : static_cast<size_t>(opening);
}

// The newest cut that moves no media, at most `cut`.
size_t beforeMedia(const thread::Thread& thread, size_t from, size_t cut) {
  for (size_t i = from; i < cut; ++i) {
    const thread::Checkpoint& turn = thread.checkpointAfter(i + 1);
    if (!turn.hasMedia) continue;
    const int32_t opening = turn.state.plainOpening;
    return opening < 0 ? from : static_cast<size_t>(opening);
  }
  return cut;
}

}  // namespace

CutPlace cutPlace(const thread::Thread& thread, size_t turns) {
  if (turns == 0 || turns >= thread.size()) return CutPlace::kNone;
  const lint::SequenceState& before = thread.checkpointAfter(turns).state;
  const lint::SequenceState& behind = thread.checkpointAfter(turns + 1).state;
  if (behind.plainOpening == static_cast<int32_t>(turns)) {
    return before.hasOpenCalls() ? CutPlace::kNone : CutPlace::kTurn;
  }
  const bool step = behind.hasOpenCalls() && before.endsWithResponses();
  const bool complete = step && thread.checkpointAfter(turns - 1).state.calls == before.responses;
  return complete ? CutPlace::kStep : CutPlace::kNone;
}

bool isSafeCut(const thread::Thread& thread, size_t turns) {
  if (turns == 0) return true;
  return turns <= newestCut(thread, thread.size()) && cutPlace(thread, turns) == CutPlace::kTurn;
}

Cut cutAt(const thread::Thread& thread, int64_t threshold, bool keepMedia) {
  Cut cut;
  if (threshold < 0 || thread.tokens() < threshold) return cut;
  for (size_t turns = 1; turns <= thread.size(); ++turns) {
    cut.heldByMedia = false;
    if (thread.checkpointAfter(turns).tokens - thread.checkpointAfter(cut.turns).tokens < threshold)
      continue;
    const size_t newest = newestCut(thread, turns);
    if (newest <= cut.turns) continue;
    const size_t allowed = keepMedia ? beforeMedia(thread, cut.turns, newest) : newest;
    cut.heldByMedia = allowed < newest;
    cut.turns = std::max(cut.turns, allowed);
  }
  return cut;
}

}  // namespace strata::compaction
