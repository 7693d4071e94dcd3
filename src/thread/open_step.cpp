#include "thread/open_step.h"

#include <algorithm>

#include "json/validated.h"
#include "repair/repair.h"

namespace strata::thread {
namespace {

// Returns the number of sealed turns. A model Content at the end is open: more Contents of the
// same answer, or responses to its calls, may follow. Responses at the end are open, together with
// their calls, because more responses may follow.
size_t sealedTurns(const Thread& thread) {
  const size_t size = thread.size();
  const lint::SequenceState& end = thread.checkpointAfter(size).state;
  if (end.model) return std::min(thread.openFrom(), size - 1);
  if (size < 2 || end.responses == 0) return size;
  const lint::SequenceState& before = thread.checkpointAfter(size - 1).state;
  return before.hasOpenCalls() ? static_cast<size_t>(before.firstCallIndex) : size;
}

std::string bodyWith(std::string_view before, std::string_view appended) {
  std::string body = "{\"contents\":[";
  body.append(before).append(before.empty() ? "" : ",").append(appended);
  return body + "]}";
}

// Copies the findings that were repaired to `repairs`. Returns whether no error remains.
bool takeRepairs(const catalogue::Findings& findings, const catalogue::Target& target,
                 catalogue::Findings& repairs) {
  for (const catalogue::Finding& finding : findings) {
    if (target.severity(finding) == catalogue::Severity::kError) return false;
    if (finding.repaired) repairs.push_back(finding);
  }
  return true;
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
  const repair::RepairResult repaired = repair::repairTurns(body, context);
  if (!takeRepairs(repaired.findings, context.target, step.repairs)) return std::nullopt;
  const json::Tape tape = json::readValidated(repaired.body.text());
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

std::optional<SignedContent> addPlaceholders(const Thread& thread, std::string_view appended) {
  lint::LintContext context;
  context.target = thread.target();
  context.isTail = true;
  context.start.turns = static_cast<int32_t>(thread.size());
  const std::string body = bodyWith({}, appended);
  const repair::RepairResult repaired = repair::repairTurns(body, context, {true});
  SignedContent content;
  if (!takeRepairs(repaired.findings, context.target, content.repairs)) return std::nullopt;
  const json::Tape tape = json::readValidated(repaired.body.text());
  const json::Value contents = tape.root().find("contents");
  // Without calls, or if the Content was split, the repairs were not about signatures.
  gemini::ContentView view;
  view.read(contents.at(0));
  if (contents.size() != 1 || !view.hasCalls()) return std::nullopt;
  content.bytes = contents.at(0).bytes();
  return content;
}

}  // namespace strata::thread
