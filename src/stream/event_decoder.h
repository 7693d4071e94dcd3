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
#include <vector>

namespace strata::stream {

class EventDecoder {
 public:
  /// Takes the next bytes and gives the JSON texts that became whole, in order.
  std::vector<std::string> push(std::string_view bytes);
  /// Says that no more comes: gives an event whose closing blank line is missing.
  std::vector<std::string> end();

  /// Whether the bytes so far end inside a JSON text, outside of any event line.
  bool inText() const { return !text_.empty(); }

 private:
  enum class Mode : uint8_t { kStart, kLines, kJson };

  void takeLineByte(std::string_view bytes, size_t& at);
  void takeLine();
  void takeJsonByte(char c);
  void flushEvent();

  Mode mode_ = Mode::kStart;
  bool lines_ = false;  // event lines were seen: JSON among them is a visitor
  bool skipLineFeed_ = false;
  std::string line_;      // the line that has no end yet
  std::string event_;     // the data lines of the event that is being read
  std::string text_;      // the JSON text that has no end yet
  uint32_t depth_ = 0;    // its open brackets
  bool inArray_ = false;  // texts are elements of an array
  bool inString_ = false;
  bool escaped_ = false;
  std::vector<std::string> whole_;
};

}  // namespace strata::stream
