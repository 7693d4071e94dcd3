#include "compaction.h"

#include "base/sha256.h"
#include "compaction/compression.h"
#include "compaction/masking.h"
#include "compaction/shorten.h"
#include "json/validated.h"
#include "json/writer.h"
#include "tokens/estimate.h"

namespace strata::bindings {
namespace {

using compaction::ToolOutput;

std::vector<ToolOutput> outputsOf(const thread::Thread& thread,
                                  const std::vector<std::string>& exempt) {
  return compaction::toolOutputs(thread, exempt, tokens::estimatePart);
}

// Returns the name under which the shell stores removed bytes. Equal bytes have the same name.
std::string storageName(const Digest& digest) { return toHex(digest).substr(0, 16); }

// Writes the edits of the chosen outputs, one for each turn. `makeResponse` returns the new
// response of an output, which is used only if it is shorter.
template <typename Make>
std::string writeEdits(const thread::Thread& thread, const std::vector<ToolOutput>& outputs,
                       const std::vector<size_t>& chosen, Make makeResponse) {
  json::Writer out;
  out.open('{').key("edits").open('[');
  for (size_t i = 0; i < chosen.size();) {
    const size_t turn = outputs[chosen[i]].turn;
    const json::Tape tape = json::readValidated(thread.content(turn));
    gemini::ContentView view;
    view.read(tape.root());
    std::vector<compaction::ReplacementResponse> responses;
    json::Writer removed;
    for (; i < chosen.size() && outputs[chosen[i]].turn == turn; ++i) {
      const ToolOutput& output = outputs[chosen[i]];
      const json::Value response = view.partViews[output.part].payload;
      const std::string name = storageName(sha256(response.bytes()));
      std::string shortened = makeResponse(response, name);
      if (shortened.size() >= response.bytes().size()) continue;
      responses.push_back({output.part, std::move(shortened)});
      const json::Writer::Scope object = removed.object();
      removed.key("part").integer(static_cast<int64_t>(output.part));
      removed.key("name").string(output.name).key("tokens").integer(output.tokens);
      removed.key("storedAs").string(name).key("response").string(response.bytes());
    }
    if (responses.empty()) continue;
    const json::Writer::Scope edit = out.object();
    out.key("turn").integer(static_cast<int64_t>(turn)).key("content");
    out.string(compaction::replaceResponses(thread.content(turn), responses));
    const json::Writer::Scope list = out.array("outputs");
    out.raw(removed.text());
  }
  return out.close(']').close('}').take();
}

// Returns the user Content that opened the turn which a split after `turns` turns divides, or -1.
int32_t openingOf(const thread::Thread& thread, size_t turns) {
  if (turns == 0 || turns >= thread.size()) return -1;
  const int32_t opening = thread.checkpointAfter(turns + 1).state.plainOpeningIndex;
  return opening < static_cast<int32_t>(turns) ? opening : -1;
}

// Writes members of an open object.
void writeSplitPoint(json::Writer& out, const thread::Thread& thread, size_t turns) {
  out.key("turns").integer(static_cast<int64_t>(turns));
  out.key("opening").integer(openingOf(thread, turns));
  out.key("storedAs").string(storageName(thread.checkpointAfter(turns).digest));
}

std::string truncationDiagnostic(const thread::Thread& thread, size_t turns) {
  catalogue::Finding finding;
  finding.rule = catalogue::Rule::kHistoryTruncated;
  finding.path = "/contents";
  finding.arg1 = std::to_string(turns);
  finding.arg2 = std::to_string(thread.size());
  json::Writer out;
  catalogue::writeDiagnostic(out, finding, thread.target());
  return out.take();
}

}  // namespace

Result<std::string> maskReply(const thread::Thread& thread, json::OptionsReader options) {
  compaction::MaskLimits limits;
  std::vector<std::string> exempt;
  options.size("protect", limits.protect).size("least", limits.minPrunable);
  options.strings("exempt", exempt);
  if (Status status = options.finish(); !status) return status;
  const std::vector<ToolOutput> outputs = outputsOf(thread, exempt);
  const size_t last = thread.size() == 0 ? 0 : thread.size() - 1;
  return writeEdits(thread, outputs, compaction::outputsToMask(outputs, limits, last),
                    compaction::makeMask);
}

Result<std::string> shortenReply(const thread::Thread& thread, json::OptionsReader options) {
  uint32_t budget = 50000;
  double characters = 40000;
  std::string prefix;
  std::vector<std::string> exempt;
  options.size("budget", budget).amount("characters", characters);
  options.string("prefix", prefix, json::Need::kRequired).strings("exempt", exempt);
  if (Status status = options.finish(); !status) return status;
  const std::vector<ToolOutput> outputs = outputsOf(thread, exempt);
  const auto shorten = [&](json::Value response, std::string_view) {
    const double ratio = characters / static_cast<double>(response.bytes().size());
    return compaction::shortenResponse(response, ratio, prefix);
  };
  return writeEdits(thread, outputs, compaction::outputsOverBudget(outputs, budget), shorten);
}

Result<std::string> compressionReply(const thread::Thread& thread, json::OptionsReader options) {
  double fraction = 0;
  options.number("fraction", fraction, json::Need::kRequired);
  if (Status status = options.finish(); !status) return status;
  json::Writer out;
  writeSplitPoint(out.open('{'), thread, compaction::compressionSplitPoint(thread, fraction));
  return out.close('}').take();
}

Result<std::string> budgetReply(const thread::Thread& thread, json::OptionsReader options) {
  uint32_t context = 0;
  uint32_t reserve = 0;
  uint32_t summary = 0;
  options.size("contextTokens", context, json::Need::kRequired);
  options.size("reserve", reserve, json::Need::kRequired).size("summaryTokens", summary);
  if (Status status = options.finish(); !status) return status;
  const compaction::HistoryBudget budget = compaction::historyBudget(context, reserve);
  const uint32_t room = budget.budget > summary ? budget.budget - summary : 0;
  json::Writer out;
  out.open('{').key("budget").integer(budget.budget).key("threshold").integer(budget.threshold);
  out.key("target").integer(budget.target);
  const size_t cut = compaction::truncationSplitPoint(thread, room);
  writeSplitPoint(out, thread, cut);
  return out.key("diagnostic").raw(truncationDiagnostic(thread, cut)).close('}').take();
}

}  // namespace strata::bindings
