#include "history/cut.h"

namespace strata::history {
namespace {

// The plain user Content that opened the turn of the newest model Content among the first `turns`:
// nothing behind it may move.
size_t newestCut(const Thread& thread, size_t turns) {
  const int32_t model = thread.behind(turns).state.newestModel;
  if (model < 0) return 0;
  const int32_t opening = thread.behind(static_cast<size_t>(model)).state.plainOpening;
  return opening < 0 ? 0 : static_cast<size_t>(opening);
}

// The newest cut that moves no media, at most `cut`.
size_t beforeMedia(const Thread& thread, size_t from, size_t cut) {
  for (size_t i = from; i < cut; ++i) {
    const Checkpoint& turn = thread.behind(i + 1);
    if (!turn.hasMedia) continue;
    const int32_t opening = turn.state.plainOpening;
    return opening < 0 ? from : static_cast<size_t>(opening);
  }
  return cut;
}

}  // namespace

bool isSafeCut(const Thread& thread, size_t turns) {
  if (turns == 0) return true;
  if (turns >= thread.size()) return false;
  return thread.behind(turns + 1).state.plainOpening == static_cast<int32_t>(turns) &&
         turns <= newestCut(thread, thread.size()) && !thread.behind(turns).state.hasOpenCalls();
}

size_t cutAt(const Thread& thread, int64_t threshold, bool keepMedia) {
  size_t cut = 0;
  if (threshold < 0 || thread.tokens() < threshold) return cut;
  for (size_t turns = 1; turns <= thread.size(); ++turns) {
    if (thread.behind(turns).tokens - thread.behind(cut).tokens < threshold) continue;
    size_t candidate = newestCut(thread, turns);
    if (candidate > cut && keepMedia) candidate = beforeMedia(thread, cut, candidate);
    if (candidate > cut) cut = candidate;
  }
  return cut;
}

}  // namespace strata::history
