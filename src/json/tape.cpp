#include "json/tape.h"

#include <algorithm>
#include <array>

#include "base/heap_sort.h"
#include "json/pointer.h"
#include "json/scan.h"
#include "json/value.h"

namespace strata::json {
namespace {

// 512 MiB fits into 32-bit offsets and 28-bit child counts, and is five times the API's limit.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kValueWithoutMark = "a value, with no byte order mark before it";
// Up to this many keys are compared pair by pair; more are sorted first.
constexpr size_t kFewKeys = 12;

struct Key {
  uint32_t fingerprint;
  uint32_t node;
};

struct OpenContainer {
  uint32_t node;      // the container
  uint32_t firstKey;  // the index of its first key in `keys_`
  uint32_t children;
  bool isObject;
};

enum class Step : uint8_t { kValue, kAfterValue, kDone, kFailed };

}  // namespace

// The parser. It is not recursive: a fixed array holds the open containers.
class Scanner {
 public:
  Scanner(std::string_view source, Tape& tape, size_t maxDepth, size_t maxValues)
      : source_(source), nodes_(tape.nodes_), maxDepth_(maxDepth), valuesLeft_(maxValues) {
    nodes_.reserve(source_.size() / 24 + 8);
    keys_.reserve(2 * kFewKeys);
  }

  Status run() {
    Step step = Step::kValue;
    while (step != Step::kDone && step != Step::kFailed) {
      step = step == Step::kValue ? readValue() : readAfterValue();
    }
    if (step == Step::kDone) return {};
    return Error{code_, at_, path(), std::string(detail_)};
  }

 private:
  OpenContainer& top() { return open_[depth_ - 1]; }
  bool inObject() { return top().isObject; }
  Value valueAt(uint32_t node) const { return Value(&nodes_[node]); }
  char peek() const { return at_ < source_.size() ? source_[at_] : '\0'; }

  Step fail(std::string_view code, std::string_view detail) {
    code_ = code;
    detail_ = detail;
    return Step::kFailed;
  }
  Step expected(std::string_view what) { return fail("json.invalid", what); }
  Step tooMany() { return fail(kTooManyValues, "the text has too many values"); }

  Step readValue() {
    at_ = skipSpace(source_, at_);
    switch (peek()) {
      case '"':
        return readString();
      case '{':
        return openContainer(Kind::kObject, '}');
      case '[':
        return openContainer(Kind::kArray, ']');
      case 't':
        return readLiteral("true", Kind::kTrue);
      case 'f':
        return readLiteral("false", Kind::kFalse);
      case 'n':
        return readLiteral("null", Kind::kNull);
      default:
        return readNumber();
    }
  }

  Step readAfterValue() {
    at_ = skipSpace(source_, at_);
    if (depth_ == 0) return at_ == source_.size() ? Step::kDone : expected("the end of the text");
    const bool object = inObject();
    if (peek() == ',') {
      if (valuesLeft_-- == 0) return tooMany();
      ++at_;
      return object ? readKey() : Step::kValue;
    }
    if (peek() == (object ? '}' : ']')) return closeContainer();
    return expected(object ? "a comma or }" : "a comma or ]");
  }

  void addNode(Kind kind, size_t end, bool escaped = false) {
    nodes_.push_back({source_.data() + at_, static_cast<uint32_t>(end - at_),
                      static_cast<uint32_t>(at_), 1,
                      static_cast<uint32_t>(kind) | (escaped ? 8U : 0U)});
    ++count_;
    if (depth_ > 0) ++top().children;
    at_ = end;
  }

  Step readString() {
    const StringScan scan = scanString(source_, at_ + 1);
    if (scan.end == StringEnd::kClosed) {
      addNode(Kind::kString, scan.at, scan.escaped);
      return Step::kAfterValue;
    }
    at_ = scan.at;
    switch (scan.end) {
      case StringEnd::kBadUtf8:
        return fail("json.invalid_utf8", "the bytes of a string are not UTF-8");
      case StringEnd::kControl:
        return expected("an escape sequence instead of a control character");
      case StringEnd::kBadEscape:
        return expected("a valid escape sequence");
      default:
        return expected("the closing quote of a string");
    }
  }

  Step readNumber() {
    const size_t end = scanNumber(source_, at_);
    if (end == at_)
      return expected(source_.starts_with(kByteOrderMark) ? kValueWithoutMark : "a value");
    addNode(Kind::kNumber, end);
    return Step::kAfterValue;
  }

  Step readLiteral(std::string_view word, Kind kind) {
    if (source_.substr(at_, word.size()) != word) return expected("a value");
    addNode(kind, at_ + word.size());
    return Step::kAfterValue;
  }

  Step openContainer(Kind kind, char close) {
    if (depth_ == maxDepth_) return fail("json.too_deep", "containers nest more than 200 deep");
    if (valuesLeft_-- == 0) return tooMany();
    const uint32_t index = count_;
    addNode(kind, at_ + 1);
    open_[depth_++] = {index, static_cast<uint32_t>(keys_.size()), 0, kind == Kind::kObject};
    at_ = skipSpace(source_, at_);
    if (peek() == close) return closeContainer();
    return kind == Kind::kObject ? readKey() : Step::kValue;
  }

  Step closeContainer() {
    if (inObject() && hasDuplicateKey()) return Step::kFailed;
    ++at_;
    Tape::Node& node = nodes_[top().node];
    node.size = static_cast<uint32_t>(at_) - node.offset;
    node.span = count_ - top().node;
    node.meta |= top().children << 4U;
    keys_.resize(top().firstKey);
    --depth_;
    return Step::kAfterValue;
  }

  Step readKey() {
    at_ = skipSpace(source_, at_);
    if (peek() != '"') return expected("a key in quotes");
    const uint32_t index = count_;
    if (readString() == Step::kFailed) return Step::kFailed;
    const Value key = valueAt(index);
    keys_.push_back({fingerprint(key.hasEscapes() ? key.text() : key.raw()), index});
    at_ = skipSpace(source_, at_);
    if (peek() != ':') return expected("a colon after the key");
    ++at_;
    return Step::kValue;
  }

  // Compares the unescaped texts of two keys, as std::string::compare does.
  int compareText(Key first, Key second) const {
    const Value a = valueAt(first.node);
    const Value b = valueAt(second.node);
    if (!a.hasEscapes() && !b.hasEscapes()) return a.raw().compare(b.raw());
    return a.text().compare(b.text());
  }

  // Makes equal keys neighbors. Different keys may have the same fingerprint, so the texts are
  // compared as well.
  void sortKeys(std::vector<Key>::iterator begin) {
    heapSort(begin, keys_.end(), [this](const Key& a, const Key& b) {
      if (a.fingerprint != b.fingerprint) return a.fingerprint < b.fingerprint;
      const int order = compareText(a, b);
      return order != 0 ? order < 0 : a.node < b.node;
    });
  }

  bool hasDuplicateKey() {
    const auto begin = keys_.begin() + top().firstKey;
    const bool sorted = static_cast<size_t>(keys_.end() - begin) > kFewKeys;
    if (sorted) sortKeys(begin);
    for (auto key = begin; key != keys_.end(); ++key) {
      const auto end = sorted && keys_.end() - key > 2 ? key + 2 : keys_.end();
      for (auto other = key + 1; other < end; ++other) {
        if (isDuplicate(*key, *other)) return true;
      }
    }
    return false;
  }

  bool isDuplicate(Key first, Key second) {
    if (first.fingerprint != second.fingerprint || compareText(first, second) != 0) return false;
    at_ = valueAt(second.node).offset();
    keys_.back() = second;
    fail("json.duplicate_key", "an object has this key twice");
    return true;
  }

  // Builds the JSON Pointer of the current place from the open containers: the last key of an
  // object, the current index of an array.
  std::string path() {
    std::string pointer;
    for (size_t level = 0; level < depth_; ++level) {
      const OpenContainer& open = open_[level];
      const bool inner = level + 1 < depth_;
      const size_t keysEnd = inner ? open_[level + 1].firstKey : keys_.size();
      if (!open.isObject) {
        appendPointer(pointer, inner ? open.children - 1 : open.children);
      } else if (keysEnd > open.firstKey) {
        appendPointer(pointer, valueAt(keys_[keysEnd - 1].node).text());
      }
    }
    return pointer;
  }

  std::string_view source_;
  std::vector<Tape::Node>& nodes_;
  uint32_t count_ = 0;  // of nodes_, whose size() divides by the size of a node
  std::vector<Key> keys_;
  std::array<OpenContainer, kMaxDepth> open_;  // only the first `depth_` have values
  size_t maxDepth_;
  size_t valuesLeft_;
  size_t depth_ = 0;
  size_t at_ = 0;
  std::string_view code_;
  std::string_view detail_;
};

Result<Tape> Tape::read(std::string_view bytes, size_t maxDepth) {
  Tape tape;
  Status status = read(bytes, tape, maxDepth);
  if (!status) return status;
  return tape;
}

Status Tape::read(std::string_view bytes, Tape& into, size_t maxDepth, size_t maxValues) {
  if (bytes.size() >= kMaxBytes) return Error{"size.too_large", 0, "", "more than 512 MiB"};
  into.nodes_.clear();
  return Scanner(bytes, into, maxDepth, maxValues).run();
}

}  // namespace strata::json
