// Why this file exists: old results of tools fill a prompt and are seldom read again. The newest
// stay; of older ones a preview stays, under a name by which the whole can be found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thread/thread.h"

namespace strata::compaction {

/// One functionResponse of a thread.
struct ToolOutput {
  size_t turn = 0;
  size_t part = 0;
  std::string name;
  uint32_t tokens = 0;
  bool exempt = false;  ///< Never taken: asked for so, or masked already.
};

/// Tokens; the defaults are Gemini CLI's.
struct MaskLimits {
  uint32_t protect = 50000;   ///< The newest results up to here stay.
  uint32_t least = 30000;     ///< Less than this is not worth it.
  bool protectLatest = true;  ///< The last turn is not looked at.
};

/// All results of tools, oldest first. `estimate` counts one Part.
std::vector<ToolOutput> toolOutputs(const thread::Thread& thread,
                                    const std::vector<std::string>& exempt,
                                    thread::Estimate estimate);

/// Which of `outputs` could go: walking from the newest, the one that exceeds `protect` and all
/// before it. `lastTurn` is that of the thread.
std::vector<size_t> prunableOutputs(const std::vector<ToolOutput>& outputs,
                                    const MaskLimits& limits, size_t lastTurn);

/// Which of `outputs` are to be masked: the prunable ones, where they are worth it.
std::vector<size_t> maskedOutputs(const std::vector<ToolOutput>& outputs, const MaskLimits& limits,
                                  size_t lastTurn);

/// Which of `outputs` exceed a budget, walking from the newest: what does not fit is named and not
/// counted.
std::vector<size_t> outputsOverBudget(const std::vector<ToolOutput>& outputs, uint32_t budget);

/// The first and the last 250 characters of a text of more than 500, or all of it.
std::string previewOf(std::string_view text);

/// The response that stands for `response`: an object, with a preview and the name that the whole
/// is kept under.
std::string maskOf(json::Value response, std::string_view keptAs);

/// Whether `response` was made by `maskOf`.
bool isMask(json::Value response);

/// A Part whose functionResponse gets another response.
struct NewResponse {
  size_t part = 0;
  std::string response;
};

/// The Content with these responses, in order, all its other bytes as they were.
std::string withResponses(std::string_view content, const std::vector<NewResponse>& responses);

}  // namespace strata::compaction
