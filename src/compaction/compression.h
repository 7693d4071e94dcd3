// Why this file exists: where an old history may be replaced by its summary, and how much of one
// still fits a budget.
#pragma once

#include <cstdint>
#include <vector>

#include "thread/thread.h"

namespace strata::compaction {

/// UTF-16 units of each turn's bytes.
std::vector<size_t> turnLengths(const thread::Thread& thread);

/// How many turns a summary replaces: up to the first place where a history may be split that has
/// at least `fraction` of the units in front of it, or the last such place, so that something
/// always stays (Gemini CLI's rule, which may sum up everything). Within the current turn that
/// may be between two steps: one long tool loop is compressed as well. None for a fraction that is
/// not between 0 and 1.
size_t compressionCut(const thread::Thread& thread, double fraction);

/// What a history may have: a part of what the answer leaves.
struct HistoryBudget {
  uint32_t budget = 0;
  uint32_t threshold = 0;  ///< From here on it is compressed.
  uint32_t target = 0;     ///< To about this many.
};

/// Pioneer's parts: 80 % and 10 % of the context without the reserve for the answer.
HistoryBudget historyBudget(uint32_t contextTokens, uint32_t reserve);

/// Where a history of at most `budget` tokens may begin: at a plain user Content, or between two
/// steps of the current turn; the newest such place where not even that fits.
size_t truncationCut(const thread::Thread& thread, uint64_t budget);

}  // namespace strata::compaction
