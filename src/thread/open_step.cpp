#include "thread/open_step.h"

#include "repair/repair.h"

namespace strata::thread {
namespace {

// How many turns are sealed. A model's newest Content is open: another may belong to the same
// answer, and results to its calls; so are results that more may follow.
size_t sealed(const Thread& thread) {
  const size_t size = thread.size();
  const lint::SequenceState& end = thread.checkpointAfter(size).state;
  if (end.model) return size - 1;
  const bool answers =
      size >= 2 && end.responses > 0 && thread.checkpointAfter(size - 1).state.hasOpenCalls();
  return answers ? size - 2 : size;
}

std::string bodyOf(std::string_view before, std::string_view appended) {
  std::string body = "{\"contents\":[";
  body.append(before).append(before.empty() ? "" : ",").append(appended);
  return body + "]}";
}

}  // namespace

std::optional<RepairedStep> repairOpenStep(const Thread& thread, std::string_view appended,
                                           const lint::Provenance& maker) {
  RepairedStep step;
  step.from = sealed(thread);
  lint::LintContext context;
  context.target = thread.targetOf(Thread::Policy::kRepair);
  context.signaturesFrom = maker;
  context.isTail = true;
  context.start = thread.checkpointAfter(step.from).state;
  const std::string body = bodyOf(thread.contents(step.from, thread.size()), appended);
  const repair::Repaired repaired = repair::repairRequest(body, context);
  for (const catalogue::Finding& finding : repaired.findings) {
    if (context.target.severity(finding) == catalogue::Severity::kError) return std::nullopt;
    if (finding.repaired) step.mends.push_back(finding);
  }
  const json::Tape tape = json::Tape::read(repaired.body.text()).value();
  for (const json::Value content : json::elements(tape.root().find("contents"))) {
    const std::string_view bytes = content.bytes();
    const bool kept =
        step.contents.empty() && step.from < thread.size() && bytes == thread.content(step.from);
    if (kept) {
      ++step.from;
    } else {
      step.contents.emplace_back(bytes);
    }
  }
  return step;
}

}  // namespace strata::thread
