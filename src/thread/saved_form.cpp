#include "thread/saved_form.h"

#include <algorithm>

#include "gemini/content_view.h"
#include "json/pointer.h"
#include "json/scan.h"
#include "json/string.h"

namespace strata::thread {
namespace {

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
  if (thread.size() == 0) thread.setStrict(!turn.find("sequencing").equals("api"));
  const json::Value content = turn.find("content");
  const json::Value text = turn.find("contentText");
  const json::Value meta = turn.find("meta");
  if (text.isString()) return loadContentText(thread, text.text(), meta);
  if (!content) return invalidTurn("a saved turn with its content");
  thread.append(content.bytes(), content, meta, Thread::Policy::kWarn);
  return {};
}

constexpr std::string_view kResultStart = R"({"strata":1,"kind":"result")";
constexpr std::string_view kStartedStart = R"({"strata":1,"kind":"started")";

constexpr std::string_view kNoteStart = R"({"strata":1,"kind":"note")";

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool isRecord(std::string_view line) {
  return startsWith(line, kResultStart) || startsWith(line, kStartedStart);
}

bool isNote(std::string_view line) { return startsWith(line, kNoteStart); }

// Reads the lines of a text one after the other.
class Lines {
 public:
  explicit Lines(std::string_view bytes) : bytes_(bytes) {}

  // Moves to the next line that is not blank. Returns whether there is one.
  bool next() {
    do {
      if (end_ >= bytes_.size()) return false;
      ++number_;
      begin_ = end_;
      const size_t feed = std::min(bytes_.find('\n', begin_), bytes_.size());
      line_ = bytes_.substr(begin_, feed - begin_);
      end_ = feed + 1;
    } while (json::skipSpace(line_, 0) == line_.size());
    return true;
  }
  std::string_view line() const { return line_; }
  // Adds the position of the line to an error within it.
  Error locate(Error error) const {
    std::string path;
    json::appendPointer(path, number_ - 1);
    error.path = path + error.path;
    error.offset += begin_;
    return error;
  }

 private:
  std::string_view bytes_;
  std::string_view line_;
  size_t number_ = 0;
  size_t begin_ = 0;
  size_t end_ = 0;
};

Status readRecord(std::string_view line, std::vector<CallRecord>& records) {
  const Result<json::Tape> tape = json::Tape::read(line);
  if (!tape) return tape.error();
  const json::Value root = tape.value().root();
  const int64_t index = root.find("index").integer(-1);
  const json::Value result = root.find("result");
  if (index < 0 || index > UINT32_MAX) return invalidTurn("a record with the index of its call");
  if (startsWith(line, kResultStart) && !result) return invalidTurn("a record with its result");
  records.push_back({static_cast<uint32_t>(index), std::string(result.bytes())});
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
    if (i == 0 && !thread.requestTarget().strict) head.append(",\"sequencing\":\"api\"");
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

std::string recordLine(const CallRecord& record) {
  std::string line(record.result.empty() ? kStartedStart : kResultStart);
  line.append(",\"index\":").append(std::to_string(record.index));
  if (!record.result.empty()) line.append(",\"result\":").append(oneLine(record.result));
  return line.append("}");
}

std::string lastMeta(const Thread& thread, std::string_view member) {
  const int32_t index = thread.checkpointAfter(thread.size()).state.lastModelIndex;
  if (index < 0) return {};
  const Result<json::Tape> meta = json::Tape::read(thread.meta(static_cast<size_t>(index)));
  return meta ? std::string(meta.value().root().find(member).bytes()) : std::string();
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

Status loadSaved(Thread& thread, std::string_view bytes, std::vector<CallRecord>* records) {
  Lines lines(bytes);
  Lines afterLastTurn = lines;
  while (lines.next()) {
    if (isRecord(lines.line()) || isNote(lines.line())) continue;
    const Status status = loadLine(thread, lines.line());
    if (!status) return lines.locate(status.error());
    afterLastTurn = lines;
  }
  while (records != nullptr && afterLastTurn.next()) {
    if (isNote(afterLastTurn.line())) continue;
    const Status status = readRecord(afterLastTurn.line(), *records);
    if (!status) return afterLastTurn.locate(status.error());
  }
  return {};
}

}  // namespace strata::thread
