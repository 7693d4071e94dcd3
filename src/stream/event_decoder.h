// Extracts the JSON texts from an API response whose bytes arrive split at arbitrary byte
// positions.
//
// The decoder detects the framing:
//
//     data: {…}\r\n\r\n        streamGenerateContent?alt=sse
//     [{…},\n{…}]              streamGenerateContent
//     {…}                      generateContent, or an error
//
// An error can interrupt server-sent events as bare JSON, also in an array, or as a line
// `error: {…}`, which is emitted as `{"error":{…}}`.
//
// Source: "Generating content", https://ai.google.dev/api/generate-content; the forms of errors as
// in googleapis/js-genai, src/_api_client.ts, and the tests of googleapis/go-genai. Lines and
// fields follow "Server-sent events",
// https://html.spec.whatwg.org/multipage/server-sent-events.html.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::stream {

/// Receives JSON texts.
class JsonSink {
 public:
  /// Handles one text. The view is only valid during the call and often points into the bytes given
  /// to `EventDecoder::push`. The text is not validated; unknown lines are passed on as well.
  virtual void onJson(std::string_view json) = 0;

 protected:
  ~JsonSink() = default;
};

/// Decodes one response, or several that continue one answer. Skips a byte order mark. Buffers only
/// incomplete texts; complete ones are passed on without a copy. Complexity: O(bytes) in total.
class EventDecoder {
 public:
  /// Decodes the next bytes and passes each completed JSON text to `sink`, in order.
  void push(std::string_view bytes, JsonSink& sink);
  /// Ends the response. Passes on an event whose final blank line is missing. The next bytes are
  /// those of another response.
  void end(JsonSink& sink);

  /// Returns whether the bytes so far end inside a JSON text. False inside a line of an event.
  bool isInsideJson() const { return !pendingJson_.empty(); }

 private:
  enum class Mode : uint8_t { kStart, kLines, kJson };

  bool readStart(char c);
  void readLinePiece(std::string_view bytes, size_t& at, JsonSink& sink);
  void readLine(std::string_view line, JsonSink& sink);
  void addData(std::string_view value);
  void flushEvent(JsonSink& sink);
  void copyDataLine();
  void readJsonPiece(std::string_view bytes, size_t& at, JsonSink& sink);
  void readSeparator(char c);
  size_t scanJson(std::string_view bytes, size_t at);

  Mode mode_ = Mode::kStart;
  size_t markBytes_ = 0;       // of a byte order mark at the start of the response
  bool sawEventLine_ = false;  // after bare JSON, return to lines
  bool skipLineFeed_ = false;
  std::string pendingLine_;    // an incomplete line
  std::string_view dataLine_;  // the event's only data line so far, in the bytes of this push
  std::string eventData_;      // the event's data lines, if several or from an earlier push
  std::string pendingJson_;    // an incomplete JSON text
  uint32_t depth_ = 0;         // its open brackets
  bool inArray_ = false;       // texts are elements of an array
  bool inString_ = false;
  bool escaped_ = false;
};

}  // namespace strata::stream
