#include "compaction/compression.h"

#include "compaction/cut.h"

namespace strata::compaction {
namespace {

constexpr double kThresholdShare = 0.8;
constexpr double kTargetShare = 0.1;

// Returns the first position after the newest plain user Content. A history may start between two
// steps only from there on.
size_t currentTurnStart(const thread::Thread& thread) {
  const int32_t opening = thread.checkpointAfter(thread.size()).state.plainOpeningIndex;
  return opening < 0 ? 0 : static_cast<size_t>(opening) + 1;
}

bool canStartAt(const thread::Thread& thread, size_t turn, size_t currentStart) {
  const SplitPoint place = splitPointAt(thread, turn);
  return turn == 0 || place == SplitPoint::kTurn ||
         (place == SplitPoint::kStep && turn >= currentStart);
}

}  // namespace

std::vector<size_t> turnLengths(const thread::Thread& thread) {
  std::vector<size_t> lengths;
  for (size_t i = 0; i < thread.size(); ++i) {
    size_t units = 0;
    for (const char c : thread.content(i)) {
      const auto byte = static_cast<unsigned char>(c);
      units += byte >= 0xF0 ? 2 : (byte & 0xC0) != 0x80 ? 1 : 0;
    }
    lengths.push_back(units);
  }
  return lengths;
}

size_t compressionSplitPoint(const thread::Thread& thread, double fraction) {
  if (!(fraction > 0 && fraction < 1)) return 0;
  const std::vector<size_t> lengths = turnLengths(thread);
  size_t total = 0;
  for (const size_t length : lengths) total += length;
  const size_t currentStart = currentTurnStart(thread);
  size_t newest = 0;
  size_t before = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (canStartAt(thread, i, currentStart)) {
      newest = i;
      if (static_cast<double>(before) >= static_cast<double>(total) * fraction) break;
    }
    before += lengths[i];
  }
  return newest;
}

HistoryBudget historyBudget(uint32_t contextTokens, uint32_t reserve) {
  const uint32_t budget = contextTokens > reserve ? contextTokens - reserve : 0;
  return {budget, static_cast<uint32_t>(budget * kThresholdShare),
          static_cast<uint32_t>(budget * kTargetShare)};
}

size_t truncationSplitPoint(const thread::Thread& thread, uint64_t budget) {
  const size_t currentStart = currentTurnStart(thread);
  size_t newest = 0;
  for (size_t i = 0; i < thread.size(); ++i) {
    if (!canStartAt(thread, i, currentStart)) continue;
    newest = i;
    if (thread.tokens() - thread.checkpointAfter(i).tokens <= budget) return i;
  }
  return newest;
}

}  // namespace strata::compaction
