// Why this file exists: one answer of the API, from network bytes in any cuts to events and one
// Content. JavaScript never parses a response on its way into a thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/writer.h"
#include "stream/api_error.h"
#include "stream/content_builder.h"
#include "stream/event_decoder.h"
#include "stream/events.h"
#include "stream/fields.h"

namespace strata::stream {

/// How an answer ended.
enum class Outcome : uint8_t { kWhole, kApiError, kInvalid, kBlocked, kCut };

class Response : private TextSink {
 public:
  /// Takes the next bytes; gives a JSON array of the events in them.
  std::string push(std::string_view bytes);
  /// Says that no more comes; gives the last events, if any, as `push` does.
  std::string end();

  /// Only after `end()`.
  Outcome outcome() const;
  /// The one Content, or "" where the API sent no parts. Before the end: what has come so far.
  std::string content() const { return content_.text(); }
  /// `{"finishReason":…,"usage":…,"response":…}`, and of a failed answer `code`, `message`,
  /// `status`…
  std::string summary() const;

 private:
  void takeText(std::string_view text) override;
  void takeResponse(json::Value response);
  void takeCandidate(json::Value candidate);
  void takePart(json::Value part);
  void takeFields(json::Value object, std::string_view without, Fields& into);
  void tellChanges();
  void writeFailure(json::Writer& out) const;
  std::string blockReason() const;

  EventDecoder decoder_;
  ContentBuilder content_;
  Fields top_;        // of the response, beside candidates
  Fields candidate_;  // of the candidate, beside content
  std::optional<ApiError> apiError_;
  std::optional<Error> invalid_;
  json::Tape tape_;                    // of the text that is being taken
  std::vector<json::Member> changed_;  // fields of that text that say something new
  Events events_;                      // of this push
  bool ending_ = false;
  bool brokenOff_ = false;  // what is invalid is the rest of a text that was cut
};

}  // namespace strata::stream
