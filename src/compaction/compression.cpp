#include "compaction/compression.h"

#include "compaction/cut.h"

namespace strata::compaction {
namespace {

constexpr double kThreshold = 0.8;
constexpr double kTarget = 0.1;

// Where the current turn's steps begin: in older turns a history begins with a question.
size_t currentTurn(const thread::Thread& thread) {
  const int32_t opening = thread.checkpointAfter(thread.size()).state.plainOpening;
  return opening < 0 ? 0 : static_cast<size_t>(opening) + 1;
}

bool mayBeginWith(const thread::Thread& thread, size_t turn, size_t loop) {
  const CutPlace place = cutPlace(thread, turn);
  return turn == 0 || place == CutPlace::kTurn || (place == CutPlace::kStep && turn >= loop);
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

size_t compressionCut(const thread::Thread& thread, double fraction) {
  if (!(fraction > 0 && fraction < 1)) return 0;
  const std::vector<size_t> lengths = turnLengths(thread);
  size_t total = 0;
  for (const size_t length : lengths) total += length;
  const size_t loop = currentTurn(thread);
  size_t newest = 0;
  size_t before = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (mayBeginWith(thread, i, loop)) {
      newest = i;
      if (static_cast<double>(before) >= static_cast<double>(total) * fraction) break;
    }
    before += lengths[i];
  }
  return newest;
}

HistoryBudget historyBudget(uint32_t contextTokens, uint32_t reserve) {
  const uint32_t budget = contextTokens > reserve ? contextTokens - reserve : 0;
  return {budget, static_cast<uint32_t>(budget * kThreshold),
          static_cast<uint32_t>(budget * kTarget)};
}

size_t truncationCut(const thread::Thread& thread, uint64_t budget) {
  const size_t loop = currentTurn(thread);
  size_t newest = 0;
  for (size_t i = 0; i < thread.size(); ++i) {
    if (!mayBeginWith(thread, i, loop)) continue;
    newest = i;
    if (thread.tokens() - thread.checkpointAfter(i).tokens <= budget) return i;
  }
  return newest;
}

}  // namespace strata::compaction
