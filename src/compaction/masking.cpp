#include "compaction/masking.h"

#include <algorithm>

#include "base/utf8.h"
#include "gemini/content_view.h"
#include "json/string.h"
#include "json/validated.h"

namespace strata::compaction {
namespace {

constexpr std::string_view kTag = "tool_output_masked";
constexpr std::string_view kTruncationMark = "\n... [TRUNCATED] ...\n";
constexpr size_t kPreviewLength = 250;

// Returns the text of a response whose only member is `output`, or the whole response as JSON.
std::string outputText(json::Value response) {
  const json::Value output = response.find("output");
  return output.isString() && response.size() == 1 ? output.text() : std::string(response.bytes());
}

// Returns the byte offsets of the code points of `text`, including its end.
std::vector<size_t> codePointOffsets(std::string_view text) {
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
    // Contents in the log are valid JSON.
    const json::Tape tape = json::readValidated(thread.content(turn));
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

std::vector<size_t> outputsToMask(const std::vector<ToolOutput>& outputs, const MaskLimits& limits,
                                  size_t lastTurn) {
  std::vector<size_t> prunable = prunableOutputs(outputs, limits, lastTurn);
  uint64_t tokens = 0;
  for (const size_t i : prunable) tokens += outputs[i].tokens;
  if (tokens < limits.minPrunable) prunable.clear();
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

std::string makePreview(std::string_view text) {
  const std::vector<size_t> offsets = codePointOffsets(text);
  const size_t characters = offsets.size() - 1;
  if (characters <= 2 * kPreviewLength) return std::string(text);
  std::string preview(text.substr(0, offsets[kPreviewLength]));
  return preview.append(kTruncationMark).append(text.substr(offsets[characters - kPreviewLength]));
}

std::string makeMask(json::Value response, std::string_view storedAs) {
  const std::string text = outputText(response);
  std::string body = "<";
  body.append(kTag)
      .append(">\n")
      .append(makePreview(text))
      .append("\n\nOnly the beginning and the ");
  body.append("end are shown. The whole result, ").append(std::to_string(text.size()));
  body.append(" bytes, is kept as ").append(storedAs).append(".\n</").append(kTag).append(">");
  std::string mask = "{\"output\":";
  json::appendQuoted(mask, body);
  return mask + "}";
}

bool isMask(json::Value response) {
  const std::string_view output = response.find("output").raw();
  const std::string open = "<" + std::string(kTag) + ">";
  return output.substr(0, open.size()) == open;
}

std::string replaceResponses(std::string_view content,
                             const std::vector<ReplacementResponse>& responses) {
  const json::Tape tape = json::readValidated(content);
  gemini::ContentView view;
  view.read(tape.root());
  std::string out;
  size_t copied = 0;
  for (const ReplacementResponse& next : responses) {
    const json::Value old = view.partViews[next.part].payload;
    out.append(content.substr(copied, old.offset() - copied)).append(next.response);
    copied = old.offset() + old.bytes().size();
  }
  return out.append(content.substr(copied));
}

}  // namespace strata::compaction
