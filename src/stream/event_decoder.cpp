#include "stream/event_decoder.h"

#include <utility>

#include "json/scan.h"

namespace strata::stream {
namespace {

constexpr std::string_view kData = "data:";
constexpr std::string_view kError = "error:";

std::string_view valueOf(std::string_view line, std::string_view field) {
  line.remove_prefix(field.size());
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

bool startsWith(std::string_view line, std::string_view field) {
  return line.substr(0, field.size()) == field;
}

bool isIgnored(std::string_view line) {
  return line.front() == ':' || startsWith(line, "event:") || startsWith(line, "id:") ||
         startsWith(line, "retry:");
}

}  // namespace

std::vector<std::string> EventDecoder::push(std::string_view bytes) {
  whole_.clear();
  size_t at = 0;
  while (at < bytes.size()) {
    if (mode_ == Mode::kLines) {
      takeLineByte(bytes, at);
    } else if (mode_ == Mode::kJson) {
      takeJsonByte(bytes[at++]);
    } else if (json::isSpace(bytes[at])) {
      ++at;
    } else {
      mode_ = bytes[at] == '{' || bytes[at] == '[' ? Mode::kJson : Mode::kLines;
    }
  }
  return std::exchange(whole_, {});
}

std::vector<std::string> EventDecoder::end() {
  whole_.clear();
  // Cut before it said what it is, a line says nothing.
  const bool said = !startsWith(kData, line_);
  if (said) takeLine();
  flushEvent();
  return std::exchange(whole_, {});
}

// Takes as much of a line as there is at once.
void EventDecoder::takeLineByte(std::string_view bytes, size_t& at) {
  if (std::exchange(skipLineFeed_, false) && bytes[at] == '\n') {
    ++at;
    return;
  }
  if (line_.empty() && (bytes[at] == '{' || bytes[at] == '[')) {
    flushEvent();
    mode_ = Mode::kJson;
    return;
  }
  const size_t end = bytes.find_first_of("\r\n", at);
  line_.append(bytes.substr(at, end - at));
  at = bytes.size();
  if (end == std::string_view::npos) return;
  skipLineFeed_ = bytes[end] == '\r';
  at = end + 1;
  takeLine();
}

void EventDecoder::takeLine() {
  lines_ = true;
  const std::string line = std::exchange(line_, {});
  if (line.empty()) {
    flushEvent();
  } else if (startsWith(line, kData)) {
    if (!event_.empty()) event_.push_back('\n');
    event_.append(valueOf(line, kData));
  } else if (startsWith(line, kError)) {
    whole_.push_back("{\"error\":" + std::string(valueOf(line, kError)) + "}");
  } else if (!isIgnored(line)) {
    whole_.push_back(line);  // not of this protocol: whoever reads it says so
  }
}

void EventDecoder::flushEvent() {
  if (!event_.empty() && event_ != "[DONE]") whole_.push_back(event_);
  event_.clear();
}

// Between texts stand the commas and brackets of the array form, and white space.
void EventDecoder::takeJsonByte(char c) {
  if (text_.empty() && c != '{') {
    if (c == '[' || c == ']') inArray_ = c == '[';
    const bool lineEnds = c == '\n' || c == '\r';
    if (lines_ && lineEnds && !inArray_) mode_ = Mode::kLines;
    return;
  }
  text_.push_back(c);
  if (escaped_) {
    escaped_ = false;
  } else if (inString_) {
    escaped_ = c == '\\';
    inString_ = c != '"';
  } else if (c == '"') {
    inString_ = true;
  } else if (c == '{' || c == '[') {
    ++depth_;
  } else if ((c == '}' || c == ']') && --depth_ == 0) {
    whole_.push_back(std::exchange(text_, {}));
  }
}

}  // namespace strata::stream
