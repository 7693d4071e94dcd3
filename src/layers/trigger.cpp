#include "layers/trigger.h"

#include "json/scan.h"
#include "json/string.h"

namespace strata::layers {
namespace {

bool isBlank(std::string_view text) { return json::skipSpace(text, 0) == text.size(); }

bool endsWithUser(const thread::Thread& thread) {
  return thread.size() > 0 && !thread.checkpointAfter(thread.size()).state.model;
}

// Whether the thread's last Content is one text that says `instruction`.
bool endsWithText(const thread::Thread& thread, std::string_view instruction) {
  const json::Tape tape = json::Tape::read(thread.content(thread.size() - 1)).value();
  gemini::ContentView view;
  view.read(tape.root());
  return view.partViews.size() == 1 && view.partViews[0].data.equals(instruction);
}

void takeFromThread(const thread::Thread& thread, Trigger& trigger) {
  trigger.own.clear();
  trigger.end = thread.size() - 1;
  trigger.given = thread.content(trigger.end);
  trigger.inThread = true;
  trigger.tokens = thread.tokens() - thread.checkpointAfter(trigger.end).tokens;
}

Status judge(const thread::Thread& thread, Trigger& trigger) {
  const Result<json::Tape> tape = json::Tape::read(trigger.bytes());
  if (!tape) {
    Error error = tape.error();
    error.path = "/trigger" + error.path;
    return error;
  }
  const json::Value content = tape.value().root();
  gemini::ContentView view;
  view.read(content);
  trigger.findings = thread.check(view, {});
  trigger.state = lint::advance(trigger.state, view);
  trigger.tokens = thread.tokensIn(content);
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
  if (instruction) trigger.own = instructionContent(input.trigger);
  if (input.triggerKind == TriggerKind::kContent) trigger.given = input.trigger;
  if (endsWithUser(thread)) {
    const std::string_view last = thread.content(thread.size() - 1);
    const bool again = trigger.missing() || trigger.bytes() == last ||
                       (instruction && endsWithText(thread, input.trigger));
    if (again) {
      takeFromThread(thread, trigger);
      return trigger;
    }
  }
  if (trigger.missing()) {
    catalogue::Finding& finding = trigger.findings.emplace_back();
    finding.rule = catalogue::Rule::kTriggerMissing;
    finding.path = "/contents";
    return trigger;
  }
  const Status status = judge(thread, trigger);
  if (!status) return status.error();
  return trigger;
}

}  // namespace strata::layers
