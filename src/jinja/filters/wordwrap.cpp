// The filter wordwrap: Python's textwrap.wrap on every line, white space kept as it is.
#include <algorithm>
#include <vector>

#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"
#include "json/utf8.h"

namespace strata::jinja {
namespace {

struct Settings {
  size_t width = 79;
  bool breakLongWords = true;
  bool breakOnHyphens = true;
};

// Code points [begin, end) of a line.
struct Chunk {
  size_t begin;
  size_t end;
  size_t size() const { return end - begin; }
};

// A line by code point.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {
    for (size_t at = 0; at < text.size();) {
      starts_.push_back(at);
      codePoints_.push_back(json::decodeUtf8(text, at));
    }
    starts_.push_back(text.size());
  }

  size_t size() const { return codePoints_.size(); }
  std::string_view text(Chunk chunk) const {
    return text_.substr(starts_[chunk.begin], starts_[chunk.end] - starts_[chunk.begin]);
  }

  /// Where the chunk that begins at `at` ends: a run of white space, a dash, or a word, which may
  /// end behind a hyphen.
  size_t chunkEnd(size_t at, bool atHyphens) const;
  bool isBlank(Chunk chunk) const {
    for (size_t i = chunk.begin; i < chunk.end; ++i) {
      if (!text::isSpace(codePoints_[i])) return false;
    }
    return true;
  }
  /// Behind the last hyphen of `chunk` before `limit` that follows something else, or `limit`.
  size_t lastHyphen(Chunk chunk, size_t limit) const;

 private:
  // textwrap counts ASCII white space alone.
  bool isBreak(size_t at) const {
    const uint32_t c = codePoints_[at];
    return c == ' ' || (c >= '\t' && c <= '\r');
  }
  bool isHyphen(size_t at) const { return at < size() && codePoints_[at] == '-'; }
  bool isWord(size_t at) const { return at < size() && text::isWord(codePoints_[at]); }
  bool isLetter(size_t at) const { return isWord(at) && text::decimalValue(codePoints_[at]) < 0; }
  bool isWordPunctuation(size_t at) const {
    constexpr std::string_view kMarks = "!\"'&.,?";
    const uint32_t c = codePoints_[at];
    return isWord(at) || (c < 0x80 && kMarks.find(static_cast<char>(c)) != std::string_view::npos);
  }
  size_t dashEnd(size_t at) const;
  bool endsAtHyphen(size_t at) const;

  std::string_view text_;
  std::vector<size_t> starts_;
  std::vector<uint32_t> codePoints_;
};

// Behind the two or more hyphens at `at` that stand between words, or `at`.
size_t Line::dashEnd(size_t at) const {
  if (at == 0 || !isHyphen(at) || !isWordPunctuation(at - 1)) return at;
  size_t end = at;
  while (isHyphen(end)) ++end;
  return end - at >= 2 && isWord(end) ? end : at;
}

// A hyphen behind two letters, or behind a letter and one more after a hyphen, and before two.
bool Line::endsAtHyphen(size_t at) const {
  if (!isHyphen(at) || at < 2) return false;
  const bool behindTwo = isLetter(at - 2) && isLetter(at - 1);
  const bool behindPart =
      at >= 3 && isLetter(at - 3) && isHyphen(at - 2) && isWordPunctuation(at - 1);
  if (!behindTwo && !behindPart) return false;
  return isLetter(at + 1) && isLetter(isHyphen(at + 2) ? at + 3 : at + 2);
}

size_t Line::chunkEnd(size_t at, bool atHyphens) const {
  const bool breaks = isBreak(at);
  size_t end = at;
  if (breaks || !atHyphens) {
    while (end < size() && isBreak(end) == breaks) ++end;
    return end;
  }
  if (dashEnd(at) > at) return dashEnd(at);
  for (end = at + 1; end < size() && !isBreak(end) && dashEnd(end) == end; ++end) {
    if (endsAtHyphen(end)) return end + 1;
  }
  return end;
}

size_t Line::lastHyphen(Chunk chunk, size_t limit) const {
  size_t hyphen = limit;
  while (hyphen > chunk.begin && !isHyphen(hyphen - 1)) --hyphen;
  for (size_t i = chunk.begin; i + 1 < hyphen; ++i) {
    if (!isHyphen(i)) return hyphen;
  }
  return limit;
}

// textwrap's greedy filling. The chunks of one output line lie side by side.
std::vector<Chunk> wrap(const Line& line, const Settings& settings) {
  std::vector<Chunk> chunks;
  for (size_t at = 0; at < line.size();) {
    chunks.push_back({at, line.chunkEnd(at, settings.breakOnHyphens)});
    at = chunks.back().end;
  }
  std::vector<Chunk> lines;
  for (size_t i = 0; i < chunks.size();) {
    if (!lines.empty() && line.isBlank(chunks[i]) && ++i == chunks.size()) break;
    const size_t begin = chunks[i].begin;
    const size_t limit = begin + settings.width;
    Chunk last{begin, begin};
    while (i < chunks.size() && chunks[i].end <= limit) last = chunks[i++];
    size_t end = last.end;
    if (i < chunks.size() && chunks[i].size() > settings.width) {
      Chunk& word = chunks[i];
      if (settings.breakLongWords) {
        const size_t cut = settings.breakOnHyphens ? line.lastHyphen(word, limit) : limit;
        last = {word.begin, cut};
        end = word.begin = cut;
      } else if (end == begin) {
        last = word;
        end = word.end;
        ++i;
      }
    }
    if (end > begin && last.size() > 0 && line.isBlank(last)) end = last.begin;
    if (end > begin) lines.push_back({begin, end});
  }
  return lines;
}

}  // namespace

Value wordwrapFilter(Call& call) {
  Runtime& runtime = call.runtime;
  if (call[0].isUndefined()) return runtime.undefinedFailure(call[0]);
  if (!call[0].isString()) {
    return runtime.fail({"'", typeName(call[0]), "' object has no attribute 'splitlines'"});
  }
  Settings settings;
  int64_t width = 79;
  std::string_view separator = "\n";
  const bool bound = call.integer(1, width) && call.truth(2, settings.breakLongWords) &&
                     (call[3].isNone() || call.text(3, separator)) &&
                     call.truth(4, settings.breakOnHyphens);
  if (!bound) return Value::failure();
  const text::Parts lines = text::splitLines(call[0].text());
  if (width <= 0 && !lines.empty()) return runtime.fail({"invalid width (must be > 0)"});
  settings.width = static_cast<size_t>(std::min<int64_t>(width, UINT32_MAX / 2));
  Text out(runtime);
  for (size_t i = 0; i < lines.size() && !out.failed(); ++i) {
    if (i > 0) out.append(separator);
    const Line line(lines[i]);
    bool first = true;
    for (const Chunk& part : wrap(line, settings)) {
      if (!first) out.append(separator);
      first = false;
      out.append(line.text(part));
    }
  }
  return out.take();
}

}  // namespace strata::jinja
