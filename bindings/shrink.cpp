#include "shrink.h"

#include "history/compression.h"
#include "history/masking.h"
#include "json/number.h"
#include "json/sha256.h"
#include "json/writer.h"
#include "tokens/estimate.h"
#include "tokens/shorten.h"

namespace strata::bindings {
namespace {

using history::ToolOutput;

uint32_t count(json::Value options, std::string_view name, uint32_t fallback) {
  const int64_t given = options.find(name).integer(fallback);
  return given < 0 ? 0 : static_cast<uint32_t>(given);
}

std::vector<std::string> names(json::Value list) {
  std::vector<std::string> out;
  for (const json::Value name : json::elements(list)) out.push_back(name.text());
  return out;
}

std::vector<ToolOutput> outputsOf(const history::Thread& thread, json::Value options) {
  return history::toolOutputs(thread, names(options.find("exempt")), tokens::estimatePart);
}

// The name that a result is kept under: the same result has the same one.
std::string keptAs(json::Value response) {
  return json::toHex(json::sha256(response.bytes())).substr(0, 16);
}

// Writes the edits of some outputs, turn by turn; `make` gives the response that comes in place of one.
template <typename Make>
std::string editsOf(const history::Thread& thread, const std::vector<ToolOutput>& outputs,
                    const std::vector<size_t>& chosen, Make make) {
  json::Writer out;
  out.open('{').key("edits").open('[');
  for (size_t i = 0; i < chosen.size();) {
    const size_t turn = outputs[chosen[i]].turn;
    const json::Tape tape = json::Tape::read(thread.content(turn)).value();
    history::ContentView view;
    view.read(tape.root());
    std::vector<history::NewResponse> responses;
    json::Writer taken;
    taken.open('[');
    for (; i < chosen.size() && outputs[chosen[i]].turn == turn; ++i) {
      const ToolOutput& output = outputs[chosen[i]];
      const json::Value response = view.partViews[output.part].payload;
      const std::string name = keptAs(response);
      std::string made = make(response, name);
      if (made.size() >= response.bytes().size()) continue;
      responses.push_back({output.part, std::move(made)});
      taken.open('{').key("part").integer(static_cast<int64_t>(output.part));
      taken.key("name").string(output.name).key("tokens").integer(output.tokens);
      taken.key("keptAs").string(name).key("response").raw(response.bytes()).close('}');
    }
    taken.close(']');
    if (responses.empty()) continue;
    out.open('{').key("turn").integer(static_cast<int64_t>(turn)).key("content");
    out.string(history::withResponses(thread.content(turn), responses));
    out.key("outputs").raw(taken.text()).close('}');
  }
  return out.close(']').close('}').take();
}

}  // namespace

std::string maskReply(const history::Thread& thread, json::Value options) {
  history::MaskLimits limits;
  limits.protect = count(options, "protect", limits.protect);
  limits.least = count(options, "least", limits.least);
  const std::vector<ToolOutput> outputs = outputsOf(thread, options);
  const size_t last = thread.size() == 0 ? 0 : thread.size() - 1;
  return editsOf(thread, outputs, history::maskedOutputs(outputs, limits, last), history::maskOf);
}

std::string shortenReply(const history::Thread& thread, json::Value options) {
  const std::vector<ToolOutput> outputs = outputsOf(thread, options);
  const double characters = count(options, "characters", 40000);
  const std::string prefix = options.find("prefix").text();
  const auto shorten = [&](json::Value response, std::string_view) {
    const double ratio = characters / static_cast<double>(response.bytes().size());
    return tokens::shortenResponse(response, ratio, prefix);
  };
  const uint32_t budget = count(options, "budget", 50000);
  return editsOf(thread, outputs, history::outputsOverBudget(outputs, budget), shorten);
}

std::string compressionReply(const history::Thread& thread, json::Value options) {
  const double fraction = json::readDouble(options.find("fraction").bytes()).value_or(0);
  const auto split = history::splitAtFraction(thread, fraction);
  const auto cut = history::compressionCut(thread, fraction);
  json::Writer out;
  out.open('{').key("split").integer(split ? static_cast<int64_t>(*split) : -1);
  return out.key("cut").integer(cut ? static_cast<int64_t>(*cut) : -1).close('}').take();
}

std::string budgetReply(const history::Thread& thread, json::Value options) {
  const history::HistoryBudget budget = history::historyBudget(
      count(options, "contextTokens", 0), count(options, "reserve", 0));
  const uint32_t summary = count(options, "summaryTokens", 0);
  const uint32_t room = budget.budget > summary ? budget.budget - summary : 0;
  json::Writer out;
  out.open('{').key("budget").integer(budget.budget).key("threshold").integer(budget.threshold);
  out.key("target").integer(budget.target);
  out.key("cut").integer(static_cast<int64_t>(history::truncationCut(thread, room)));
  return out.close('}').take();
}

}  // namespace strata::bindings
