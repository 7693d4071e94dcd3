#include "layers/trigger.h"

#include "json/scan.h"
#include "json/string.h"
#include "json/validated.h"

namespace strata::layers {
namespace {

bool isBlank(std::string_view text) { return json::skipSpace(text, 0) == text.size(); }

bool endsWithUser(const thread::Thread& thread) {
  return thread.size() > 0 && !thread.checkpointAfter(thread.size()).state.model;
}

// Returns true if the thread's last Content is the one text `instruction`.
bool endsWithText(const thread::Thread& thread, std::string_view instruction) {
  const json::Tape tape = json::readValidated(thread.content(thread.size() - 1));
  gemini::ContentView view;
  view.read(tape.root());
  return view.partViews.size() == 1 && view.partViews[0].data.equals(instruction);
}

void useLastContent(const thread::Thread& thread, Trigger& trigger) {
  trigger.owned.clear();
  trigger.end = thread.size() - 1;
  trigger.borrowed = thread.content(trigger.end);
  trigger.inThread = true;
  trigger.tokens = thread.tokens() - thread.checkpointAfter(trigger.end).tokens;
}

Status checkContent(const thread::Thread& thread, Trigger& trigger) {
  const Result<json::Tape> tape = json::Tape::read(trigger.bytes(), thread::kMaxContentDepth);
  if (!tape) {
    Error error = tape.error();
    error.path = "/trigger" + error.path;
    return error;
  }
  const json::Value content = tape.value().root();
  gemini::ContentView view;
  view.read(content);
  trigger.findings = thread.check(view, {});
  trigger.state = lint::advance(trigger.state, view, thread.target());
  trigger.tokens = thread.estimateTokens(content);
  return {};
}

}  // namespace

std::string instructionContent(std::string_view text) {
  std::string content = R"({"role":"user","parts":[{"text":)";
  json::appendQuoted(content, text);
  return content + "}]}";
}

Result<Trigger> chooseTrigger(const thread::Thread& thread, const AssembleInput& input) {
  Trigger trigger;
  trigger.end = thread.size();
  trigger.state = thread.checkpointAfter(thread.size()).state;
  const bool instruction =
      input.triggerKind == TriggerKind::kInstruction && !isBlank(input.trigger);
  if (instruction) trigger.owned = instructionContent(input.trigger);
  if (input.triggerKind == TriggerKind::kContent) trigger.borrowed = input.trigger;
  if (endsWithUser(thread)) {
    const std::string_view last = thread.content(thread.size() - 1);
    const bool useLast = trigger.missing() || trigger.bytes() == last ||
                         (instruction && endsWithText(thread, input.trigger));
    if (useLast) {
      useLastContent(thread, trigger);
      return trigger;
    }
  }
  if (trigger.missing()) {
    catalogue::Finding& finding = trigger.findings.emplace_back();
    finding.rule = catalogue::Rule::kTriggerMissing;
    finding.path = "/contents";
    return trigger;
  }
  const Status status = checkContent(thread, trigger);
  if (!status) return status.error();
  return trigger;
}

}  // namespace strata::layers
