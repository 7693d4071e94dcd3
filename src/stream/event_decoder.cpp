#include "stream/event_decoder.h"

#include <algorithm>
#include <utility>

#include "json/scan.h"

namespace strata::stream {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kData = "data:";
constexpr std::string_view kError = "error:";

std::string_view fieldValue(std::string_view line, std::string_view field) {
  line.remove_prefix(field.size());
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

bool startsWith(std::string_view line, std::string_view field) {
  return line.substr(0, field.size()) == field;
}

bool isIgnoredField(std::string_view line) {
  return line.front() == ':' || startsWith(line, "event:") || startsWith(line, "id:") ||
         startsWith(line, "retry:");
}

}  // namespace

void EventDecoder::push(std::string_view bytes, JsonSink& sink) {
  size_t at = 0;
  while (at < bytes.size()) {
    if (mode_ == Mode::kLines) {
      readLinePiece(bytes, at, sink);
    } else if (mode_ == Mode::kJson) {
      readJsonPiece(bytes, at, sink);
    } else if (markBytes_ < kByteOrderMark.size() && bytes[at] == kByteOrderMark[markBytes_]) {
      ++markBytes_;
      ++at;
    } else if (readStart(bytes[at])) {
      ++at;
    }
  }
  copyDataLine();
}

// Reads what stands before the first text. Returns whether the byte is skipped.
bool EventDecoder::readStart(char c) {
  const size_t mark = std::exchange(markBytes_, kByteOrderMark.size());
  if (mark < kByteOrderMark.size()) pendingLine_ = kByteOrderMark.substr(0, mark);
  if (!pendingLine_.empty()) {
    mode_ = Mode::kLines;
    return false;
  }
  if (json::isSpace(c)) return true;
  mode_ = c == '{' || c == '[' ? Mode::kJson : Mode::kLines;
  return false;
}

void EventDecoder::end(JsonSink& sink) {
  // Ignore a truncated field name, such as `dat`.
  const std::string line = std::exchange(pendingLine_, {});
  if (!startsWith(kData, line)) readLine(line, sink);
  flushEvent(sink);
  if (isInsideJson()) return;
  mode_ = Mode::kStart;
  markBytes_ = 0;
  sawEventLine_ = false;
  skipLineFeed_ = false;
  inArray_ = false;
}

// Reads the rest of a line, or as much of it as `bytes` holds.
void EventDecoder::readLinePiece(std::string_view bytes, size_t& at, JsonSink& sink) {
  if (std::exchange(skipLineFeed_, false) && bytes[at] == '\n') {
    ++at;
    return;
  }
  if (pendingLine_.empty() && (bytes[at] == '{' || bytes[at] == '[')) {
    flushEvent(sink);
    mode_ = Mode::kJson;
    return;
  }
  const size_t end = json::findEither(bytes, at, '\r', '\n');
  const std::string_view piece = bytes.substr(at, end - at);
  at = std::min(end + 1, bytes.size());
  if (end == bytes.size()) {
    pendingLine_.append(piece);
    return;
  }
  skipLineFeed_ = bytes[end] == '\r';
  if (pendingLine_.empty()) {
    readLine(piece, sink);
    return;
  }
  pendingLine_.append(piece);
  const std::string line = std::exchange(pendingLine_, {});
  readLine(line, sink);
  copyDataLine();
}

void EventDecoder::readLine(std::string_view line, JsonSink& sink) {
  sawEventLine_ = true;
  if (line.empty()) {
    flushEvent(sink);
  } else if (startsWith(line, kData)) {
    addData(fieldValue(line, kData));
  } else if (startsWith(line, kError)) {
    sink.onJson("{\"error\":" + std::string(fieldValue(line, kError)) + "}");
  } else if (!isIgnoredField(line)) {
    sink.onJson(line);  // not an event stream field: the sink reports the error
  }
}

void EventDecoder::addData(std::string_view value) {
  copyDataLine();
  if (eventData_.empty()) {
    dataLine_ = value;
  } else {
    eventData_.push_back('\n');
    eventData_.append(value);
  }
}

void EventDecoder::flushEvent(JsonSink& sink) {
  const std::string_view event = dataLine_.empty() ? eventData_ : dataLine_;
  if (!event.empty() && event != "[DONE]") sink.onJson(event);
  dataLine_ = {};
  eventData_.clear();
}

// Copies the pending data line: the bytes of a push are not valid after it.
void EventDecoder::copyDataLine() {
  if (!dataLine_.empty()) eventData_ = dataLine_;
  dataLine_ = {};
}

void EventDecoder::readJsonPiece(std::string_view bytes, size_t& at, JsonSink& sink) {
  if (pendingJson_.empty() && bytes[at] != '{') {
    readSeparator(bytes[at++]);
    return;
  }
  const std::string_view piece = bytes.substr(at, scanJson(bytes, at) - at);
  at += piece.size();
  const bool complete = depth_ == 0;
  if (complete && pendingJson_.empty()) {
    sink.onJson(piece);
    return;
  }
  pendingJson_.append(piece);
  if (!complete) return;
  const std::string text = std::exchange(pendingJson_, {});
  sink.onJson(text);
}

// Skips a comma, bracket or white space between JSON texts. Returns to lines if an event stream was
// interrupted.
void EventDecoder::readSeparator(char c) {
  if (c == '[' || c == ']') inArray_ = c == '[';
  const bool lineEnds = c == '\n' || c == '\r';
  if (sawEventLine_ && lineEnds && !inArray_) mode_ = Mode::kLines;
}

// Continues to scan a JSON text. Returns its end, or the end of `bytes` if it is incomplete.
size_t EventDecoder::scanJson(std::string_view bytes, size_t at) {
  while (at < bytes.size()) {
    if (std::exchange(escaped_, false)) {
      ++at;
      continue;
    }
    if (inString_) at = json::findEither(bytes, at, '"', '\\');
    if (at == bytes.size()) break;
    const char c = bytes[at++];
    if (inString_) {
      escaped_ = c == '\\';
      inString_ = escaped_;
    } else if (c == '"') {
      inString_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && --depth_ == 0) {
      break;
    }
  }
  return at;
}

}  // namespace strata::stream
