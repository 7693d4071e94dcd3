// Turns the network bytes of one API response, split at arbitrary byte positions, into events and
// one Content.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/writer.h"
#include "stream/api_error.h"
#include "stream/content_builder.h"
#include "stream/event_decoder.h"
#include "stream/event_writer.h"
#include "stream/field_list.h"

namespace strata::stream {

/// How a response ended.
enum class Outcome : uint8_t {
  kComplete,
  kApiError,   ///< The API sent an error.
  kInvalid,    ///< The response contains something other than JSON.
  kBlocked,    ///< The prompt was blocked (promptFeedback.blockReason).
  kTruncated,  ///< The response ended without a finishReason.
};

/// Returns the `kind` of a failure; "" for a complete answer.
std::string_view failureKind(Outcome outcome);
/// Writes the member `detail` about text that is not valid.
void writeDetail(json::Writer& out, const Error& invalid);
/// Returns the text that `json` is, or "".
std::string stringValue(std::string_view json);

/// Assembles one response. Use a new object for each response. Only the first candidate is read.
/// Nothing after an error or invalid JSON is read.
///
/// Source: "Generating content", https://ai.google.dev/api/generate-content
/// (GenerateContentResponse).
class ResponseAssembler : private JsonSink {
 public:
  /// Reads the next bytes. Returns their events as a JSON array: `text`, `thought`, `functionCall`,
  /// `part`, `metadata` and `error` in the order of the bytes, and `usage` with the last counts.
  std::string push(std::string_view bytes);
  /// Ends the response. Returns the remaining events, in the form of `push`. Bytes that follow are
  /// those of a response that continues the answer.
  std::string end();

  /// Returns a copy that ends here. O(bytes of the Content).
  ResponseAssembler ended() const;

  /// Returns how the response ended. Call it only after `end`.
  Outcome outcome() const;
  /// Returns the Content, or "" if the API sent no parts. Before `end`, a call whose last piece has
  /// not come, and an event whose blank line has not come, are left out. Valid until the next
  /// `push` or `end`.
  std::string_view content() const { return content_.text(); }
  /// Returns the finishReason so far, or "".
  std::string finishReason() const;
  /// Returns `{"finishReason":…,"usage":…,"response":…}`, where `response` is one
  /// GenerateContentResponse, without its Content unless `withContent`. Unless the outcome is
  /// kComplete, adds `failure` with its `kind` and details. Call it only after `end`.
  std::string summary(bool withContent = true) const;

 private:
  void onJson(std::string_view text) override;
  void handleResponse(json::Value response);
  void handleCandidate(json::Value candidate);
  void handlePart(json::Value part);
  void emitComposed(std::string_view part);
  void refuseArguments(json::Value part);
  void updateFields(json::Value object, std::string_view excluded, FieldList& fields,
                    FieldList& changed);
  void updateUsage(json::Value usage);
  void emitUsage();
  void writeFailure(json::Writer& out) const;
  std::string blockReason() const;

  EventDecoder decoder_;
  ContentBuilder content_;
  FieldList responseFields_;   // of the response, other than candidates
  FieldList candidateFields_;  // of the candidate, other than content
  FieldList usage_;            // of usageMetadata
  std::optional<ApiError> apiError_;
  std::optional<Error> invalid_;  // why a JSON text so far cannot be read
  json::Tape tape_;               // of the current JSON text
  EventWriter events_;            // of the current push
  bool newUsage_ = false;         // the next usageMetadata is of another response
  bool usageChanged_ = false;     // since the last `usage` event
  bool ended_ = false;
  bool truncated_ = false;  // the invalid text is the incomplete end of the response
};

}  // namespace strata::stream
