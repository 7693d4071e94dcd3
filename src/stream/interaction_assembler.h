// Turns the network bytes of one answer of the Interactions API, split at arbitrary byte positions,
// into events and one list of steps. It reads streams and unary answers.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "stream/api_error.h"
#include "stream/event_decoder.h"
#include "stream/event_writer.h"
#include "stream/field_list.h"
#include "stream/response_assembler.h"
#include "stream/step_builder.h"

namespace strata::stream {

/// Assembles one answer. Use a new object for each. Nothing after an error or invalid JSON is read.
///
/// Source: "Streaming", https://ai.google.dev/gemini-api/docs/streaming, and the reference,
/// https://ai.google.dev/api/interactions-api.
class InteractionAssembler final : private JsonSink {
 public:
  /// Reads the next bytes. Returns their events as a JSON array: `text`, `thought`, `functionCall`,
  /// `step` for every other step of the model's, `usage` in the form of usageMetadata, `metadata`
  /// with the `model` as modelVersion, and `error`.
  std::string push(std::string_view bytes);
  /// Ends the stream. Returns the remaining events, in the form of `push`. Bytes that follow are
  /// those of a stream that resumes this one after `lastEventId`, also if it ended in an error.
  std::string end();

  /// Returns how the answer ended, or would end if nothing followed. An answer that is
  /// `requires_action` or `incomplete` is complete; one that failed or was cancelled is an API
  /// error, and one with a step that did not stop is truncated unless it is `incomplete`.
  Outcome outcome() const;
  /// Returns the finishReason of generateContent that is nearest to the status so far, or "".
  std::string finishReason() const;
  /// Returns the steps as a JSON array. A call that did not end, or that the token limit cut, is
  /// left out.
  std::string steps() const;
  /// Returns the status so far, such as "requires_action", or "".
  std::string status() const;
  /// Returns the id of the interaction; "" if it is not stored.
  std::string id() const;
  /// Returns the id of the last event, from which the stream can be resumed, or "".
  const std::string& lastEventId() const { return lastEventId_; }
  /// Returns what ResponseAssembler::summary does: `{"finishReason":…,"usage":…,"response":…}`,
  /// where `response` is a GenerateContentResponse with `content`, the JSON of the steps' Content
  /// or "", and the fields of the interaction other than its steps: `model` is its modelVersion.
  /// Unless the outcome is kComplete, adds `failure` with its `kind` and details; and
  /// `lastEventId`, if any. Call it only after `end`.
  std::string summary(std::string_view content) const;

 private:
  void onJson(std::string_view text) override;
  void handleEvent(json::Value event);
  void handleInteraction(json::Value interaction);
  ApiError statusError(json::Value error) const;
  void failByStatus(json::Value error);
  void handleSteps(json::Value steps);
  void handleStart(json::Value event);
  void handleDelta(json::Value event);
  void handleStop(json::Value event);
  void handleFailure(json::Value event);
  void fail(ApiError error);
  void updateFields(json::Value object);
  void emitUsage();
  void emitWhole(json::Value step);
  bool emitTexts(json::Value step);
  void emitStep(std::string_view step);
  void refuse(std::string detail, json::Value place);
  void emitHeld();
  void writeFields(json::Writer& out) const;
  void writeFailure(json::Writer& out) const;
  std::string usageMetadata() const;
  StepBuilder* find(json::Value event);
  bool areStopped() const;
  bool isIncomplete() const;

  EventDecoder decoder_;
  struct IndexedStep {
    int64_t index;
    StepBuilder step;
  };
  std::list<IndexedStep> steps_;  // as they came
  std::string whole_;             // the elements of a list of steps that came whole
  FieldList fields_;              // of the interaction, other than steps
  std::optional<ApiError> apiError_;
  std::optional<Error> invalid_;
  json::Tape tape_;
  EventWriter events_;
  std::string lastEventId_;
  bool isUnary_ = false;
  bool ended_ = false;
  bool isResumed_ = false;  // and no step has started since
  bool isHeld_ = false;     // the event of the last call
  bool isCallCut_ = false;  // the last call, which is invalid unless the token limit has cut it
  bool truncated_ = false;  // the invalid text is the incomplete end of the answer
};

}  // namespace strata::stream
