// Why this file exists: an answer comes as bytes in any cuts, in one of three framings. This finds
// the JSON texts in it, whole.
//
//     data: {…}\r\n\r\n        streamGenerateContent?alt=sse
//     [{…},\n{…}]              streamGenerateContent
//     {…}                      generateContent, or an error
//
// An error may break into the first form as bare JSON, alone or in an array, or as a line
// `error: {…}`, which is given as `{"error":{…}}`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata::stream {

/// Who takes the texts: each lives for the call only, often in the network's own bytes.
class TextSink {
 public:
  virtual void takeText(std::string_view json) = 0;

 protected:
  ~TextSink() = default;
};

class EventDecoder {
 public:
  /// Takes the next bytes and gives the JSON texts that became whole, in order.
  void push(std::string_view bytes, TextSink& sink);
  /// Says that no more comes: gives an event whose closing blank line is missing.
  void end(TextSink& sink);

  /// Whether the bytes so far end inside a JSON text, outside of any event line.
  bool inText() const { return !text_.empty(); }

 private:
  enum class Mode : uint8_t { kStart, kLines, kJson };

  void takeLinePiece(std::string_view bytes, size_t& at, TextSink& sink);
  void takeLine(std::string_view line, TextSink& sink);
  void addData(std::string_view value);
  void flushEvent(TextSink& sink);
  void keepEvent();
  void takeJsonPiece(std::string_view bytes, size_t& at, TextSink& sink);
  void takeBetween(char c);
  size_t scanText(std::string_view bytes, size_t at);

  Mode mode_ = Mode::kStart;
  bool lines_ = false;  // event lines were seen: JSON among them is a visitor
  bool skipLineFeed_ = false;
  std::string line_;        // the line that has no end yet
  std::string_view fresh_;  // the event's one data line, in the bytes of this push
  std::string event_;       // its data lines, where they are several or from an earlier push
  std::string text_;        // the JSON text that has no end yet
  uint32_t depth_ = 0;      // its open brackets
  bool inArray_ = false;    // texts are elements of an array
  bool inString_ = false;
  bool escaped_ = false;
};

}  // namespace strata::stream
