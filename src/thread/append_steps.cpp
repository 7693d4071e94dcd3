#include "thread/append_steps.h"

#include <utility>

#include "interactions/to_contents.h"
#include "json/pointer.h"
#include "json/validated.h"
#include "thread/turn_meta.h"

namespace strata::thread {
namespace {

using interactions::StepsTurn;

Status checkSteps(json::Value steps) {
  size_t index = 0;
  for (const json::Value step : json::elements(steps)) {
    std::string path;
    json::appendPointer(path, index++);
    if (!step.find("type").isString())
      return Error{"field.invalid", step.offset(), path, "a step with its type"};
  }
  return {};
}

// Returns the bytes of the steps [begin, end) as an array.
std::string slice(json::Value steps, size_t begin, size_t end) {
  const std::string_view first = steps.at(begin).bytes();
  const std::string_view last = steps.at(end - 1).bytes();
  const auto size = static_cast<size_t>(last.data() + last.size() - first.data());
  return "[" + std::string(first.data(), size) + "]";
}

Error locate(Error error, const StepsTurn& turn) {
  error.path.clear();
  json::appendPointer(error.path, turn.begin);
  return error;
}

Result<AppendResult> appendTurn(Thread& thread, json::Value steps, const StepsTurn& turn,
                                json::Value meta, Thread::Policy policy,
                                const AppendOptions& options) {
  const Result<json::Tape> content = json::Tape::read(turn.content, kMaxContentDepth);
  if (!content) return locate(content.error(), turn);
  std::string about(meta ? meta.bytes() : "{}");
  if (turn.isWhole) about = withSteps(about, slice(steps, turn.begin, turn.end));
  // A saved turn has it one level deeper.
  const Result<json::Tape> tape = json::Tape::read(about, json::kMaxDepth - 1);
  if (!tape) return locate(tape.error(), turn);
  return thread.append(turn.content, content.value().root(), tape.value().root(), policy, options);
}

}  // namespace

bool isStepList(json::Value list) { return list.isArray() && list.at(0).find("type").isString(); }

Result<AppendResult> appendSteps(Thread& thread, json::Value steps, json::Value meta,
                                 Thread::Policy policy, const AppendOptions& options) {
  if (Status status = checkSteps(steps); !status) return status;
  catalogue::Findings losses;  // Thread::append reports them.
  const Result<std::vector<StepsTurn>> read = interactions::turnsOf(steps, "", losses);
  if (!read) return read.error();
  const std::vector<StepsTurn>& turns = read.value();
  if (turns.size() > 1 && meta.find("tokens"))
    return Error{"field.invalid", 0, "/meta/tokens", "left out for several turns"};
  // One turn alone needs no copy of the thread: it is appended or not.
  if (turns.size() == 1) return appendTurn(thread, steps, turns.front(), meta, policy, options);
  Thread trial = thread;
  AppendResult all;
  for (const StepsTurn& turn : turns) {
    Result<AppendResult> done = appendTurn(trial, steps, turn, meta, policy, options);
    if (!done || !done.value().accepted) return done;
    all.findings.append(done.value().findings);
  }
  thread = std::move(trial);
  return all;
}

}  // namespace strata::thread
