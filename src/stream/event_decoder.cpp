#include "stream/event_decoder.h"

#include <algorithm>
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

void EventDecoder::push(std::string_view bytes, TextSink& sink) {
  size_t at = 0;
  while (at < bytes.size()) {
    if (mode_ == Mode::kLines) {
      takeLinePiece(bytes, at, sink);
    } else if (mode_ == Mode::kJson) {
      takeJsonPiece(bytes, at, sink);
    } else if (json::isSpace(bytes[at])) {
      ++at;
    } else {
      mode_ = bytes[at] == '{' || bytes[at] == '[' ? Mode::kJson : Mode::kLines;
    }
  }
  keepEvent();
}

void EventDecoder::end(TextSink& sink) {
  // Cut before it said what it is, a line says nothing.
  const std::string line = std::exchange(line_, {});
  if (!startsWith(kData, line)) takeLine(line, sink);
  flushEvent(sink);
}

// Takes as much of a line as there is at once.
void EventDecoder::takeLinePiece(std::string_view bytes, size_t& at, TextSink& sink) {
  if (std::exchange(skipLineFeed_, false) && bytes[at] == '\n') {
    ++at;
    return;
  }
  if (line_.empty() && (bytes[at] == '{' || bytes[at] == '[')) {
    flushEvent(sink);
    mode_ = Mode::kJson;
    return;
  }
  const size_t end = json::findEither(bytes, at, '\r', '\n');
  const std::string_view piece = bytes.substr(at, end - at);
  at = std::min(end + 1, bytes.size());
  if (end == bytes.size()) {
    line_.append(piece);
    return;
  }
  skipLineFeed_ = bytes[end] == '\r';
  if (line_.empty()) {
    takeLine(piece, sink);
    return;
  }
  line_.append(piece);
  const std::string line = std::exchange(line_, {});
  takeLine(line, sink);
  keepEvent();
}

void EventDecoder::takeLine(std::string_view line, TextSink& sink) {
  lines_ = true;
  if (line.empty()) {
    flushEvent(sink);
  } else if (startsWith(line, kData)) {
    addData(valueOf(line, kData));
  } else if (startsWith(line, kError)) {
    sink.takeText("{\"error\":" + std::string(valueOf(line, kError)) + "}");
  } else if (!isIgnored(line)) {
    sink.takeText(line);  // not of this protocol: whoever reads it says so
  }
}

void EventDecoder::addData(std::string_view value) {
  keepEvent();
  if (event_.empty()) {
    fresh_ = value;
  } else {
    event_.push_back('\n');
    event_.append(value);
  }
}

void EventDecoder::flushEvent(TextSink& sink) {
  const std::string_view event = fresh_.empty() ? event_ : fresh_;
  if (!event.empty() && event != "[DONE]") sink.takeText(event);
  fresh_ = {};
  event_.clear();
}

// The bytes of a push are gone after it.
void EventDecoder::keepEvent() {
  if (!fresh_.empty()) event_ = fresh_;
  fresh_ = {};
}

void EventDecoder::takeJsonPiece(std::string_view bytes, size_t& at, TextSink& sink) {
  if (text_.empty() && bytes[at] != '{') {
    takeBetween(bytes[at++]);
    return;
  }
  const std::string_view piece = bytes.substr(at, scanText(bytes, at) - at);
  at += piece.size();
  const bool whole = depth_ == 0;
  if (whole && text_.empty()) {
    sink.takeText(piece);
    return;
  }
  text_.append(piece);
  if (!whole) return;
  const std::string text = std::exchange(text_, {});
  sink.takeText(text);
}

// Between texts stand the commas and brackets of the array form, and white space.
void EventDecoder::takeBetween(char c) {
  if (c == '[' || c == ']') inArray_ = c == '[';
  const bool lineEnds = c == '\n' || c == '\r';
  if (lines_ && lineEnds && !inArray_) mode_ = Mode::kLines;
}

// Reads on in a text; gives where it ends, or where the bytes do.
size_t EventDecoder::scanText(std::string_view bytes, size_t at) {
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
