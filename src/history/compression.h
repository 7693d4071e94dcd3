// Why this file exists: where an old history may be replaced by its summary, and how much of one
// still fits a budget.
#pragma once

#include <optional>
#include <vector>

#include "history/thread.h"

namespace strata::history {

/// UTF-16 units of each turn's bytes.
std::vector<size_t> turnLengths(const Thread& thread);

/// How many turns a summary replaces: up to the first plain user Content that has at least
/// `fraction` of the units in front of it; all, where there is none and the thread ends in a model
/// Content without calls; else up to the last plain user Content, or none (Gemini CLI's rule).
/// Nothing for a fraction that is not between 0 and 1.
std::optional<size_t> splitAtFraction(const Thread& thread, double fraction);

/// The same for a thread that is about to be sent: it also ends inside one long tool loop, between
/// two steps, where the rule above would keep more than it should. Something always stays; nothing
/// goes for a fraction that is not between 0 and 1.
size_t compressionCut(const Thread& thread, double fraction);

/// What a history may have: a part of what the answer leaves.
struct HistoryBudget {
  uint32_t budget = 0;
  uint32_t threshold = 0;  ///< From here on it is compressed.
  uint32_t target = 0;     ///< To about this many.
};

/// Pioneer's parts: 80 % and 10 % of the context without the reserve for the answer.
HistoryBudget historyBudget(uint32_t contextTokens, uint32_t reserve);

/// The first of `tokens` (of entries, oldest first) that still fits into `budget` behind `before`,
/// walking from the newest and stopping where one does not fit.
size_t newestThatFit(const std::vector<uint32_t>& tokens, uint64_t budget, uint64_t before);

/// Where a history of at most `budget` tokens may begin: at a plain user Content, or between two
/// steps of the current turn; the newest such place where not even that fits.
size_t truncationCut(const Thread& thread, uint64_t budget);

}  // namespace strata::history
