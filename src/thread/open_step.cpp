#include "thread/open_step.h"

#include "repair/repair.h"

namespace strata::thread {
namespace {

// Returns the number of sealed turns. A model Content at the end is open: more Contents of the
// same answer, or responses to its calls, may follow. Responses at the end are open, together with
// their calls, because more responses may follow.
size_t sealedTurns(const Thread& thread) {
  const size_t size = thread.size();
  const lint::SequenceState& end = thread.checkpointAfter(size).state;
  if (end.model) return size - 1;
  const bool answersCalls =
      size >= 2 && end.responses > 0 && thread.checkpointAfter(size - 1).state.hasOpenCalls();
  return answersCalls ? size - 2 : size;
}

std::string bodyWith(std::string_view before, std::string_view appended) {
  std::string body = "{\"contents\":[";
  body.append(before).append(before.empty() ? "" : ",").append(appended);
  return body + "]}";
}

}  // namespace

std::optional<RepairedStep> repairOpenStep(const Thread& thread, std::string_view appended,
                                           const lint::Provenance& provenance) {
  RepairedStep step;
  step.from = sealedTurns(thread);
  lint::LintContext context;
  context.target = thread.targetOf(Thread::Policy::kRepair);
  context.signaturesFrom = provenance;
  context.isTail = true;
  context.start = thread.checkpointAfter(step.from).state;
  const std::string body = bodyWith(thread.contents(step.from, thread.size()), appended);
  const repair::RepairResult repaired = repair::repairRequest(body, context);
  for (const catalogue::Finding& finding : repaired.findings) {
    if (context.target.severity(finding) == catalogue::Severity::kError) return std::nullopt;
    if (finding.repaired) step.repairs.push_back(finding);
  }
  const json::Tape tape = json::Tape::read(repaired.body.text()).value();
  for (const json::Value content : json::elements(tape.root().find("contents"))) {
    const std::string_view bytes = content.bytes();
    const bool unchanged =
        step.contents.empty() && step.from < thread.size() && bytes == thread.content(step.from);
    if (unchanged) {
      ++step.from;
    } else {
      step.contents.emplace_back(bytes);
    }
  }
  return step;
}

}  // namespace strata::thread
