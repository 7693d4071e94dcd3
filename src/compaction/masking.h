// Replaces old tool outputs with a short preview and the name under which the full output is
// stored.
//
// Source of the limits and the preview: Gemini CLI, packages/core/src/context/
// toolOutputMaskingService.ts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::compaction {

/// One functionResponse of a thread.
struct ToolOutput {
  size_t turn = 0;
  size_t part = 0;  ///< Index in the Content's parts.
  std::string name;
  uint32_t tokens = 0;
  bool exempt =
      false;  ///< Never masked: its tool is exempt, it is a mask, or it can't be replaced.
};

/// Limits in tokens. The defaults are Gemini CLI's.
struct MaskLimits {
  uint32_t protect = 50000;      ///< The newest outputs are kept up to this sum.
  uint32_t minPrunable = 30000;  ///< Nothing is masked unless this many tokens are prunable.
  bool protectLatest = true;     ///< Skips the last turn.
};

/// Returns all tool outputs of the thread, oldest first. Outputs of the tools in `exempt`, masks,
/// and outputs with media or without a response object are marked exempt. `estimate` counts the
/// tokens of one Part.
std::vector<ToolOutput> toolOutputs(const thread::Thread& thread,
                                    const std::vector<std::string>& exempt,
                                    thread::Estimate estimate);

/// Returns the indexes of the outputs that could be masked, ascending: counted from the newest, the
/// output whose tokens exceed `protect` and all older ones. `lastTurn` is the thread's last turn.
std::vector<size_t> prunableOutputs(const std::vector<ToolOutput>& outputs,
                                    const MaskLimits& limits, size_t lastTurn);

/// Returns the indexes of the outputs to mask: the prunable ones, or none if they hold fewer than
/// `minPrunable` tokens.
std::vector<size_t> outputsToMask(const std::vector<ToolOutput>& outputs, const MaskLimits& limits,
                                  size_t lastTurn);

/// Returns the indexes of the outputs that exceed a budget, ascending. Counts from the newest; an
/// output that does not fit is not counted, so an older and smaller one may still fit. Exempt
/// outputs are never returned.
std::vector<size_t> outputsOverBudget(const std::vector<ToolOutput>& outputs, uint32_t budget);

/// Returns the first and the last 250 characters of `text`, or all of it up to 500 characters.
/// `text` must be valid UTF-8.
std::string makePreview(std::string_view text);

/// Returns a response object with a preview of `response` and the name `storedAs`, under which the
/// caller stores the full output.
std::string makeMask(json::Value response, std::string_view storedAs);

/// Returns whether `response` was made by `makeMask`.
bool isMask(json::Value response);

/// A new response for one functionResponse Part.
struct ReplacementResponse {
  size_t part = 0;       ///< Index in the Content's parts; must be a functionResponse.
  std::string response;  ///< A JSON object.
};

/// Returns `content` with these responses replaced; all other bytes stay as they are. `responses`
/// must be in ascending order of their parts, and `content` must be a valid Content.
std::string replaceResponses(std::string_view content,
                             const std::vector<ReplacementResponse>& responses);

}  // namespace strata::compaction
