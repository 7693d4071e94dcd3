#include "compaction/masking.h"

#include <algorithm>

#include "base/utf8.h"
#include "gemini/content_view.h"
#include "json/string.h"

namespace strata::compaction {
namespace {

constexpr std::string_view kTag = "tool_output_masked";
constexpr std::string_view kGap = "\n... [TRUNCATED] ...\n";
constexpr size_t kPreview = 250;

// What a result says: its only text, or all of it as JSON.
std::string textOf(json::Value response) {
  const json::Value output = response.find("output");
  return output.isString() && response.size() == 1 ? output.text() : std::string(response.bytes());
}

// Byte offsets of the code points of `text`, its end included.
std::vector<size_t> boundaries(std::string_view text) {
  std::vector<size_t> offsets = {0};
  for (size_t at = 0; at < text.size();) {
    decodeUtf8(text, at);
    offsets.push_back(at);
  }
  return offsets;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<ToolOutput> toolOutputs(const thread::Thread& thread,
                                    const std::vector<std::string>& exempt,
                                    thread::Estimate estimate) {
  std::vector<ToolOutput> outputs;
  gemini::ContentView view;
  for (size_t turn = 0; turn < thread.size(); ++turn) {
    if (thread.checkpointAfter(turn + 1).state.responses == 0) continue;
    // The log holds nothing that could not be read.
    const json::Tape tape = json::Tape::read(thread.content(turn)).value();
    view.read(tape.root());
    for (size_t i = 0; i < view.partViews.size(); ++i) {
      const gemini::PartView& part = view.partViews[i];
      if (!part.isResponse()) continue;
      ToolOutput& output = outputs.emplace_back();
      output.turn = turn;
      output.part = i;
      output.name = part.name.text();
      output.tokens = estimate(part.part);
      output.exempt = contains(exempt, output.name) || isMask(part.payload) ||
                      !part.payload.isObject() || part.mediaInResult;
    }
  }
  return outputs;
}

std::vector<size_t> prunableOutputs(const std::vector<ToolOutput>& outputs,
                                    const MaskLimits& limits, size_t lastTurn) {
  std::vector<size_t> prunable;
  uint64_t sum = 0;
  for (size_t i = outputs.size(); i-- > 0;) {
    const ToolOutput& output = outputs[i];
    if (output.exempt || (limits.protectLatest && output.turn == lastTurn)) continue;
    sum += output.tokens;
    if (sum > limits.protect) prunable.push_back(i);
  }
  std::reverse(prunable.begin(), prunable.end());
  return prunable;
}

std::vector<size_t> maskedOutputs(const std::vector<ToolOutput>& outputs, const MaskLimits& limits,
                                  size_t lastTurn) {
  std::vector<size_t> prunable = prunableOutputs(outputs, limits, lastTurn);
  uint64_t tokens = 0;
  for (const size_t i : prunable) tokens += outputs[i].tokens;
  if (tokens < limits.least) prunable.clear();
  return prunable;
}

std::vector<size_t> outputsOverBudget(const std::vector<ToolOutput>& outputs, uint32_t budget) {
  std::vector<size_t> over;
  uint64_t sum = 0;
  for (size_t i = outputs.size(); i-- > 0;) {
    if (sum + outputs[i].tokens > budget) {
      if (!outputs[i].exempt) over.push_back(i);
    } else {
      sum += outputs[i].tokens;
    }
  }
  std::reverse(over.begin(), over.end());
  return over;
}

std::string previewOf(std::string_view text) {
  const std::vector<size_t> offsets = boundaries(text);
  const size_t characters = offsets.size() - 1;
  if (characters <= 2 * kPreview) return std::string(text);
  std::string preview(text.substr(0, offsets[kPreview]));
  return preview.append(kGap).append(text.substr(offsets[characters - kPreview]));
}

std::string maskOf(json::Value response, std::string_view keptAs) {
  const std::string text = textOf(response);
  std::string said = "<";
  said.append(kTag).append(">\n").append(previewOf(text)).append("\n\nOnly the beginning and the ");
  said.append("end are shown. The whole result, ").append(std::to_string(text.size()));
  said.append(" bytes, is kept as ").append(keptAs).append(".\n</").append(kTag).append(">");
  std::string mask = "{\"output\":";
  json::appendQuoted(mask, said);
  return mask + "}";
}

bool isMask(json::Value response) {
  const std::string_view output = response.find("output").raw();
  const std::string open = "<" + std::string(kTag) + ">";
  return output.substr(0, open.size()) == open;
}

std::string withResponses(std::string_view content, const std::vector<NewResponse>& responses) {
  const json::Tape tape = json::Tape::read(content).value();
  gemini::ContentView view;
  view.read(tape.root());
  std::string out;
  size_t copied = 0;
  for (const NewResponse& next : responses) {
    const json::Value old = view.partViews[next.part].payload;
    out.append(content.substr(copied, old.offset() - copied)).append(next.response);
    copied = old.offset() + old.bytes().size();
  }
  return out.append(content.substr(copied));
}

}  // namespace strata::compaction
