// Why this file exists: a thread may mend what is still open: its newest step, and what is appended
// to it. Everything before is sealed, so rewinding, forking and saving stay slices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::thread {

/// The newest turns of a thread as they should be.
struct RepairedStep {
  size_t from = 0;  ///< The thread keeps this many turns; `contents` stand behind them.
  std::vector<std::string> contents;
  catalogue::Findings mends;  ///< Their places count as if nothing had been mended.
};

/// What the thread's open step and `appended` become together, or nothing where repair can't mend
/// them. `maker` says who made the signatures of `appended`.
std::optional<RepairedStep> repairOpenStep(const Thread& thread, std::string_view appended,
                                           const lint::Provenance& maker);

}  // namespace strata::thread
