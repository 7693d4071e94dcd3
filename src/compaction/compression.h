// Chooses where a summary may replace the start of a history, and how many tokens a history may
// use.
#pragma once

#include <cstdint>
#include <vector>

#include "thread/thread.h"

namespace strata::compaction {

/// Returns the length of each turn's JSON text in UTF-16 code units. Complexity: O(bytes).
std::vector<size_t> turnLengths(const thread::Thread& thread);

/// Returns how many turns a summary may replace: the first split point that has at least `fraction`
/// of all UTF-16 units before it, or the last split point if none has. At least one turn always
/// remains. In the current turn the result may be between two steps, so that one long tool loop can
/// be compressed. Returns 0 unless 0 < fraction < 1.
///
/// Source: Gemini CLI, `findCompressSplitPoint` in packages/core/src/context/
/// chatCompressionService.ts, which may summarize the whole history and never splits a turn.
size_t compressionSplitPoint(const thread::Thread& thread, double fraction);

/// Token limits of a history.
struct HistoryBudget {
  uint32_t budget = 0;     ///< The context window without the reserve for the answer.
  uint32_t threshold = 0;  ///< Compress the history when it reaches this size.
  uint32_t target = 0;     ///< The size of the summary to ask for.
};

/// Returns a threshold of 80 % and a target of 10 % of the budget, as Pioneer's gateway
/// (pioneerdotai/pioneer) does. The budget is 0 if `reserve` exceeds `contextTokens`.
HistoryBudget historyBudget(uint32_t contextTokens, uint32_t reserve);

/// Returns how many turns to leave out so that the remaining ones use at most `budget` tokens. The
/// remaining history starts at a plain user Content or between two steps of the current turn. If
/// nothing fits, returns the last such position: the newest step always remains.
size_t truncationSplitPoint(const thread::Thread& thread, uint64_t budget);

}  // namespace strata::compaction
