#include "interactions/answer.h"

#include <array>

namespace strata::interactions {
namespace {

struct StatusRow {
  std::string_view name;
  AnswerStatus status;
  std::string_view finishReason;
};

constexpr StatusRow kStatuses[] = {
    {"completed", AnswerStatus::kCompleted, "STOP"},
    {"requires_action", AnswerStatus::kRequiresAction, "STOP"},
    {"incomplete", AnswerStatus::kIncomplete, "MAX_TOKENS"},
    {"failed", AnswerStatus::kFailed, "OTHER"},
    {"cancelled", AnswerStatus::kCancelled, "OTHER"},
    {"in_progress", AnswerStatus::kInProgress, ""},
    {"queued", AnswerStatus::kQueued, ""},
    {"budget_exceeded", AnswerStatus::kBudgetExceeded, "OTHER"},
};

struct CountRow {
  std::string_view ofUsage;
  std::string_view ofMetadata;
};

// Both exclude thoughts from the count of the answer.
constexpr CountRow kCounts[] = {
    {"total_input_tokens", "promptTokenCount"},
    {"total_cached_tokens", "cachedContentTokenCount"},
    {"total_output_tokens", "candidatesTokenCount"},
    {"total_thought_tokens", "thoughtsTokenCount"},
    {"total_tool_use_tokens", "toolUsePromptTokenCount"},
    {"total_tokens", "totalTokenCount"},
};

}  // namespace

AnswerStatus statusOf(std::string_view name) {
  for (const StatusRow& row : kStatuses) {
    if (row.name == name) return row.status;
  }
  return AnswerStatus::kUnknown;
}

bool isFinal(AnswerStatus status) {
  return status != AnswerStatus::kUnknown && !finishReasonOf(status).empty();
}

bool isFailure(AnswerStatus status) { return finishReasonOf(status) == "OTHER"; }

std::string_view finishReasonOf(AnswerStatus status) {
  for (const StatusRow& row : kStatuses) {
    if (row.status == status) return row.finishReason;
  }
  return {};
}

void writeUsageMetadata(json::Writer& out, json::Value usage) {
  const json::Writer::Scope metadata = out.object();
  for (const CountRow& row : kCounts) {
    const json::Value count = usage.find(row.ofUsage);
    if (count.isNumber()) out.key(row.ofMetadata).raw(count.bytes());
  }
}

}  // namespace strata::interactions
