#include "thread/saved_form.h"

#include <algorithm>

#include "gemini/content_view.h"
#include "json/pointer.h"
#include "json/scan.h"
#include "json/string.h"

namespace strata::thread {
namespace {

// Adds the position of the line to an error within it.
Error located(Error error, size_t line, size_t offset) {
  std::string path;
  json::appendPointer(path, line);
  error.path = path + error.path;
  error.offset += offset;
  return error;
}

Error invalidTurn(std::string_view expected) {
  return {"field.invalid", 0, "", std::string(expected)};
}

Status loadContentText(Thread& thread, const std::string& text, json::Value meta) {
  const Result<json::Tape> tape = json::Tape::read(text);
  if (!tape) return tape.error();
  thread.append(text, tape.value().root(), meta, Thread::Policy::kWarn);
  return {};
}

Status loadLine(Thread& thread, std::string_view line) {
  const Result<json::Tape> tape = json::Tape::read(line);
  if (!tape) return tape.error();
  const json::Value turn = tape.value().root();
  if (turn.find("strata").integer(0) != 1) return invalidTurn("a saved turn: \"strata\":1");
  const json::Value content = turn.find("content");
  const json::Value text = turn.find("contentText");
  const json::Value meta = turn.find("meta");
  if (text.isString()) return loadContentText(thread, text.text(), meta);
  if (!content) return invalidTurn("a saved turn with its content");
  thread.append(content.bytes(), content, meta, Thread::Policy::kWarn);
  return {};
}

// Returns whether a Content can be written into a line unchanged. A line feed would end the line,
// and white space around the Content would be lost.
bool fitsInLine(std::string_view content) {
  return content.front() == '{' && content.back() == '}' &&
         content.find('\n') == std::string_view::npos;
}

// Replaces line feeds by spaces. In JSON a line feed is only ever white space between values.
std::string oneLine(std::string json) {
  std::replace(json.begin(), json.end(), '\n', ' ');
  return json;
}

}  // namespace

Segments save(const Thread& thread, size_t from) {
  Segments lines;
  for (size_t i = from; i < thread.size(); ++i) {
    const std::string_view content = thread.content(i);
    std::string head = "{\"strata\":1,\"kind\":\"";
    head.append(kindName(thread.checkpointAfter(i + 1).kind)).append("\"");
    const std::string_view meta = thread.meta(i);
    if (!meta.empty()) head.append(",\"meta\":").append(oneLine(std::string(meta)));
    if (fitsInLine(content)) {
      lines.own(head + ",\"content\":");
      lines.borrow(content);
    } else {
      head += ",\"contentText\":";
      json::appendQuoted(head, content);
      lines.own(head);
    }
    lines.own("}\n");
  }
  return lines;
}

bool isSaved(std::string_view bytes) {
  constexpr std::string_view kStart = "{\"strata\":";
  bytes.remove_prefix(json::skipSpace(bytes, 0));
  if (bytes.substr(0, kStart.size()) == kStart) return true;
  if (bytes.substr(0, 1) != "{") return false;
  const std::string_view first = bytes.substr(0, bytes.find('\n'));
  const Result<json::Tape> tape = json::Tape::read(first);
  return tape && tape.value().root().find("strata");
}

Status loadSaved(Thread& thread, std::string_view bytes) {
  size_t number = 0;
  for (size_t at = 0; at < bytes.size(); ++number) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = bytes.substr(at, end - at);
    if (json::skipSpace(line, 0) < line.size()) {
      const Status status = loadLine(thread, line);
      if (!status) return located(status.error(), number, at);
    }
    at = end + 1;
  }
  return {};
}

}  // namespace strata::thread
