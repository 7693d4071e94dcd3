#include "repair/step.h"

#include <utility>

namespace strata::repair {

Step::Step(Parts open, Parts found)
    : calls(std::move(open)), responses(std::move(found)), pairs(lint::pairStep(calls, responses)) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].call < 0) continue;
    const gemini::PartView* call = calls[static_cast<size_t>(pairs[i].call)];
    nameMismatches += lint::sameText(responses[i]->name, call->name) ? 0 : 1;
  }
}

bool Step::isUnambiguous() const {
  for (size_t i = 0; i < pairs.size(); ++i) {
    // A response whose id matches no call may answer any of them.
    if (!pairs[i].unambiguous || (!pairs[i].byId && lint::hasId(*responses[i]))) return false;
  }
  return true;
}

Parts Step::inCallOrder() const {
  Parts sorted(calls.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].call >= 0) sorted[static_cast<size_t>(pairs[i].call)] = responses[i];
  }
  return sorted;
}

}  // namespace strata::repair
