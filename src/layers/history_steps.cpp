#include "layers/history_steps.h"

#include <algorithm>

#include "interactions/step_view.h"
#include "interactions/to_steps.h"
#include "json/validated.h"
#include "thread/turn_meta.h"

namespace strata::layers {
namespace {

using interactions::ContentsToSteps;
using thread::Thread;

bool isModel(const Thread& thread, size_t turn) {
  return thread.checkpointAfter(turn + 1).kind == thread::TurnKind::kModel;
}

// Returns the last place up to `turns` behind which the steps do not depend on the turns before it.
size_t resumePoint(const Thread& thread, size_t turns) {
  while (turns > 0 &&
         (isModel(thread, turns - 1) || thread.checkpointAfter(turns).state.hasOpenCalls())) {
    --turns;
  }
  return turns;
}

void addTurn(const Thread& thread, size_t turn, ContentsToSteps& converter) {
  const json::Tape tape = json::readValidated(thread.content(turn));
  const bool isSteps = thread.checkpointAfter(turn + 1).isSteps;
  const std::string steps = isSteps ? thread::stepsIn(thread.meta(turn)) : std::string();
  if (isSteps && interactions::goBack(json::readValidated(steps).root())) {
    converter.addSteps(tape.root(), steps);
  } else {
    converter.add(tape.root());
  }
}

// Returns whether the turn behind `turn` belongs to the same run of the model's.
bool continues(const Thread& thread, size_t turn) {
  return turn + 1 < thread.size() && isModel(thread, turn) && isModel(thread, turn + 1) &&
         !thread.checkpointAfter(turn + 1).isSteps && !thread.checkpointAfter(turn + 2).isSteps;
}

}  // namespace

const HistorySteps::Turn& HistorySteps::before(size_t turn) const {
  static const Turn kStart;
  return turn == 0 ? kStart : turns_[turn - 1];
}

void HistorySteps::keep(size_t turns) {
  turns_.resize(turns);
  steps_.resize(before(turns).end);
  while (losses_.size() > before(turns).losses) losses_.pop_back();
}

void HistorySteps::update(const Thread& thread, const std::string& resolution, bool placeholder) {
  if (resolution != resolution_ || placeholder != options_.placeholder) keep(0);
  resolution_ = resolution;
  options_.placeholder = placeholder;
  size_t same = std::min(turns_.size(), thread.size());
  while (same > 0 && turns_[same - 1].digest != thread.checkpointAfter(same).digest) --same;
  if (same == thread.size() && same == turns_.size()) return;
  const size_t from = resumePoint(thread, same);
  keep(from);
  catalogue::Findings found;
  ContentsToSteps converter(options_, found, resolution);
  converter.resume(from, before(from).calls);
  for (size_t turn = from; turn < thread.size(); ++turn) {
    addTurn(thread, turn, converter);
    if (!continues(thread, turn)) interactions::appendElement(steps_, converter.take());
    for (const catalogue::Finding& loss : found) losses_.push_back(loss);
    found.clear();
    turns_.push_back({thread.checkpointAfter(turn + 1).digest, steps_.size(), losses_.size(),
                      converter.calls()});
  }
}

std::string_view HistorySteps::steps(size_t from, size_t to) const {
  const size_t begin = before(from).end;
  std::string_view steps = std::string_view(steps_).substr(begin, before(to).end - begin);
  if (begin > 0 && !steps.empty()) steps.remove_prefix(1);
  return steps;
}

void HistorySteps::addLosses(size_t from, catalogue::Findings& findings) const {
  for (size_t i = before(from).losses; i < losses_.size(); ++i) findings.push_back(losses_[i]);
}

std::string HistorySteps::next(const Thread& thread, json::Value content,
                               catalogue::Findings& findings) const {
  const size_t from = resumePoint(thread, thread.size());
  catalogue::Findings found;
  ContentsToSteps converter(options_, found, resolution_);
  converter.resume(from, before(from).calls);
  for (size_t turn = from; turn < thread.size(); ++turn) addTurn(thread, turn, converter);
  converter.take();
  found.clear();
  converter.add(content);
  std::string steps = converter.take();
  findings.append(found);
  return steps;
}

}  // namespace strata::layers
