// Reads what surrounds the steps of an answer: its status and its usage.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"
#include "json/writer.h"

namespace strata::interactions {

/// The status of an interaction.
enum class AnswerStatus : uint8_t {
  kUnknown,
  kCompleted,
  kRequiresAction,  ///< Function calls wait for their results. It is a success.
  kIncomplete,      ///< The output budget is spent.
  kFailed,
  kCancelled,
  kInProgress,
  kQueued,
  kBudgetExceeded,
};

/// Returns the status with this name.
AnswerStatus statusOf(std::string_view name);

/// Returns whether an interaction with this status changes no more.
bool isFinal(AnswerStatus status);

/// Returns whether it has no answer to use.
bool isFailure(AnswerStatus status);

/// Returns the nearest finishReason of generateContent, or "" for a status that is not final.
std::string_view finishReasonOf(AnswerStatus status);

/// Writes `usage` in the form of generateContent's usageMetadata. Counts that are missing are left
/// out.
void writeUsageMetadata(json::Writer& out, json::Value usage);

}  // namespace strata::interactions
