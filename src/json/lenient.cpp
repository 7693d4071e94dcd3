#include "json/lenient.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "json/pointer.h"
#include "json/scan.h"

namespace strata::json {
namespace {

// A path ends here, so that a long key is not copied for each departure in its value.
constexpr size_t kMaxPath = 1000;

bool startsName(char c) { return ascii::isLetter(c) || c == '_' || c == '$'; }

bool isNamePart(char c) { return startsName(c) || ascii::isDigit(c); }

bool isReserved(std::string_view name) {
  return name == "true" || name == "false" || name == "null";
}

// Returns a text in single quotes as a JSON string. Escapes are those of JSON, and \'.
std::string inDoubleQuotes(std::string_view quoted) {
  std::string out = "\"";
  for (size_t at = 1; at + 1 < quoted.size(); ++at) {
    const bool isEscape = quoted[at] == '\\';
    if (isEscape && quoted[at + 1] != '\'') out.push_back('\\');
    if (isEscape) ++at;
    if (!isEscape && quoted[at] == '"') out.push_back('\\');
    out.push_back(quoted[at]);
  }
  return out += '"';
}

// Finds the departures of a text, whose other errors it passes over.
class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) {}

  std::vector<Departure> run() {
    while (at_ < text_.size() && !stopped_) readToken();
    if (found_.size() > kMaxDepartures) found_.clear();
    return std::move(found_);
  }

 private:
  struct Open {
    bool isObject;
    bool expectsKey;
    size_t index;          // of the current element
    std::string_view key;  // of the current member
  };

  void readToken() {
    const char c = text_[at_];
    if (c == '"') return readString();
    if (c == '\'') return readSingleQuoted();
    if (c == ',') return readComma();
    if (c == '{' || c == '[') return open(c == '{');
    if (c == '}' || c == ']') return close();
    if (startsName(c)) return readName();
    if (!isSpace(c)) afterValue_ = c != ':';
    ++at_;
  }

  void open(bool isObject) {
    if (open_.size() == kMaxDepth) return stop();
    open_.push_back({isObject, isObject, 0, {}});
    afterValue_ = false;
    ++at_;
  }

  void close() {
    if (open_.empty()) return stop();
    open_.pop_back();
    afterValue_ = true;
    ++at_;
  }

  void stop() { stopped_ = true; }

  void readComma() {
    const size_t next = skipSpace(text_, at_ + 1);
    const char closing = next < text_.size() ? text_[next] : '\0';
    if (open_.empty()) return stop();
    Open& top = open_.back();
    if (afterValue_ && closing == (top.isObject ? '}' : ']')) {
      add(top.isObject ? "A comma before }" : "A comma before ]", at_ + 1, {}, open_.size() - 1);
    } else {
      ++top.index;
      top.expectsKey = top.isObject;
    }
    afterValue_ = false;
    ++at_;
  }

  void readString() {
    const StringScan scan = scanString(text_, at_ + 1);
    if (scan.end != StringEnd::kClosed) return stop();
    endString(scan.at);
  }

  void readSingleQuoted() {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '\'') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return stop();
    const std::string_view quoted = text_.substr(at_, end + 1 - at_);
    if (expectsKey()) open_.back().key = quoted.substr(1, quoted.size() - 2);
    add("A text in single quotes", end + 1, inDoubleQuotes(quoted), open_.size());
    endString(end + 1);
  }

  void endString(size_t end) {
    const bool isKey = expectsKey();
    if (isKey) setKey(text_.substr(at_ + 1, end - at_ - 2));
    afterValue_ = !isKey;
    at_ = end;
  }

  void readName() {
    size_t end = at_;
    while (end < text_.size() && isNamePart(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    if (expectsKey() && !isReserved(name)) {
      setKey(name);
      add("A key without quotes", end, "\"" + std::string(name) + "\"", open_.size());
    } else {
      afterValue_ = true;
    }
    at_ = end;
  }

  bool expectsKey() const { return !open_.empty() && open_.back().expectsKey; }

  void setKey(std::string_view key) {
    open_.back().key = key;
    open_.back().expectsKey = false;
  }

  void add(std::string_view what, size_t end, std::string strict, size_t depth) {
    if (found_.size() == kMaxDepartures) stop();
    found_.push_back({what, pathTo(depth), at_, end, std::move(strict), 0});
  }

  std::string pathTo(size_t depth) const {
    std::string path;
    for (size_t level = 0; level < depth; ++level) {
      const Open& each = open_[level];
      const bool hasEscapes = each.key.find('\\') != std::string_view::npos;
      if (hasEscapes || path.size() + each.key.size() > kMaxPath) break;
      if (each.isObject) {
        appendPointer(path, each.key);
      } else {
        appendPointer(path, each.index);
      }
    }
    return path;
  }

  std::string_view text_;
  std::vector<Departure> found_;
  std::vector<Open> open_;
  size_t at_ = 0;
  bool afterValue_ = false;
  bool stopped_ = false;
};

}  // namespace

size_t LenientText::sourceBehind(size_t offset, size_t before) const {
  const auto after =
      std::upper_bound(departures.begin(), departures.end(), before,
                       [](size_t at, const Departure& departure) { return at < departure.at; });
  if (after == departures.begin()) return offset;
  const Departure& last = *(after - 1);
  const size_t end = last.at + last.strict.size();
  return offset < end ? last.begin : last.end + (offset - end);
}

std::optional<LenientText> readLenient(std::string_view text, size_t maxValues) {
  LenientText read;
  read.departures = Finder(text).run();
  if (read.departures.empty()) return std::nullopt;
  size_t copied = 0;
  for (Departure& departure : read.departures) {
    read.json.append(text.substr(copied, departure.begin - copied));
    departure.at = read.json.size();
    read.json.append(departure.strict);
    copied = departure.end;
  }
  read.json.append(text.substr(copied));
  Tape tape;
  read.status = Tape::read(read.json, tape, kMaxDepth, maxValues);
  if (!read.status) read.status.error().offset = read.sourceOf(read.status.error().offset);
  return read;
}

LenientTape::LenientTape(std::string_view text, size_t maxValues)
    : text_(text), status_(Tape::read(text, tape_, kMaxDepth, maxValues)) {
  if (status_ || hasTooManyValues()) return;
  lenient_ = readLenient(text, maxValues);
  if (!lenient_) return;
  status_ = std::move(lenient_->status);
  if (status_) status_ = Tape::read(lenient_->json, tape_);
}

TextRange LenientTape::rangeOf(Value value) const {
  const size_t begin = value.offset();
  const size_t end = begin + value.bytes().size();
  if (!lenient_) return {begin, end};
  return {lenient_->sourceOf(begin), lenient_->sourceOfEnd(end)};
}

}  // namespace strata::json
