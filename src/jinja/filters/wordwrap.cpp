// Implements the filter wordwrap: Python's textwrap.wrap on every line, with white space preserved.
#include <algorithm>

#include "base/utf8.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/characters.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

struct Settings {
  size_t width = 79;
  bool breakLongWords = true;
  bool breakOnHyphens = true;
};

// The code points [begin, end) of a line.
struct Chunk {
  size_t begin;
  size_t end;
  size_t size() const { return end - begin; }
};

// A line with access by code point.
class Line {
 public:
  Line(Heap& heap, std::string_view text)
      : text_(text),
        size_(codePoints(text)),
        starts_(heap.array<uint32_t>(size_ + 1)),
        codePoints_(heap.array<uint32_t>(size_)) {
    size_t at = 0;
    for (size_t i = 0; i < size_; ++i) {
      starts_[i] = static_cast<uint32_t>(at);
      codePoints_[i] = decodeUtf8(text, at);
    }
    starts_[size_] = static_cast<uint32_t>(at);
  }

  size_t size() const { return size_; }
  std::string_view text(Chunk chunk) const {
    return text_.substr(starts_[chunk.begin], starts_[chunk.end] - starts_[chunk.begin]);
  }

  /// Returns the end of the chunk at `at`: a run of white space, a dash, or a word, which may end
  /// after a hyphen.
  size_t chunkEnd(size_t at, bool atHyphens) const;
  bool isBlank(Chunk chunk) const {
    for (size_t i = chunk.begin; i < chunk.end; ++i) {
      if (!text::isSpace(codePoints_[i])) return false;
    }
    return true;
  }
  /// Returns the position after the last hyphen of `chunk` before `limit` if a character other than
  /// a hyphen precedes it, else `limit`.
  size_t lastHyphen(Chunk chunk, size_t limit) const;

 private:
  // textwrap treats only ASCII white space as a break.
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
  size_t size_;
  uint32_t* starts_;
  uint32_t* codePoints_;
};

// Returns the end of two or more hyphens at `at` between words, or `at`.
size_t Line::dashEnd(size_t at) const {
  if (at == 0 || !isHyphen(at) || !isWordPunctuation(at - 1)) return at;
  size_t end = at;
  while (isHyphen(end)) ++end;
  return end - at >= 2 && isWord(end) ? end : at;
}

// Returns whether a word may end after the hyphen at `at`: it follows two letters, or a letter, a
// hyphen and a letter, and precedes two letters.
bool Line::endsAtHyphen(size_t at) const {
  if (!isHyphen(at) || at < 2) return false;
  const bool followsTwoLetters = isLetter(at - 2) && isLetter(at - 1);
  const bool followsHyphenatedPart =
      at >= 3 && isLetter(at - 3) && isHyphen(at - 2) && isLetter(at - 1);
  if (!followsTwoLetters && !followsHyphenatedPart) return false;
  return isLetter(at + 1) && isLetter(isHyphen(at + 2) ? at + 3 : at + 2);
}

size_t Line::chunkEnd(size_t at, bool atHyphens) const {
  const bool isSpaceRun = isBreak(at);
  size_t end = at;
  if (isSpaceRun || !atHyphens) {
    while (end < size() && isBreak(end) == isSpaceRun) ++end;
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

// Fills one line greedily, as textwrap does.
class Filler {
 public:
  Filler(const Line& line, const Settings& settings)
      : line_(line), settings_(settings), chunk_(chunkAt(0)) {}

  /// Sets the next output line to a range of consecutive chunks. Returns false at the end.
  bool next(bool first, Chunk& out) {
    if (!first && line_.isBlank(chunk_)) advance();
    if (chunk_.size() == 0) return false;
    out = {chunk_.begin, chunk_.begin};
    const size_t limit = chunk_.begin + settings_.width;
    Chunk last = out;
    for (; chunk_.size() > 0 && chunk_.end <= limit; advance()) last = chunk_;
    out.end = last.end;
    if (chunk_.size() > settings_.width && settings_.breakLongWords) {
      hasCut_ = true;
      const size_t cut = settings_.breakOnHyphens ? line_.lastHyphen(chunk_, limit) : limit;
      last = {chunk_.begin, cut};
      out.end = chunk_.begin = cut;
    } else if (chunk_.size() > settings_.width && out.size() == 0) {
      last = chunk_;
      out.end = last.end;
      advance();
    }
    if (last.size() > 0 && line_.isBlank(last)) out.end = last.begin;
    return true;
  }
  /// Whether a word was broken.
  bool hasCut() const { return hasCut_; }

 private:
  Chunk chunkAt(size_t begin) const {
    return {begin, begin < line_.size() ? line_.chunkEnd(begin, settings_.breakOnHyphens) : begin};
  }
  void advance() { chunk_ = chunkAt(chunk_.end); }

  const Line& line_;
  const Settings& settings_;
  Chunk chunk_;
  bool hasCut_ = false;
};

// Returns whether a word was broken.
bool appendWrapped(Text& out, const Line& line, const Settings& settings,
                   std::string_view separator) {
  Filler filler(line, settings);
  Chunk part{0, 0};
  for (bool first = true; !out.failed() && filler.next(first, part);) {
    if (part.size() == 0) continue;
    if (!first) out.append(separator);
    first = false;
    out.append(line.text(part));
  }
  return filler.hasCut();
}

}  // namespace

Value wordwrapFilter(Call& call) {
  Runtime& runtime = call.runtime;
  if (call[0].isUndefined()) return runtime.undefinedFailure(call[0]);
  if (!call[0].isString()) {
    return runtime.fail("'{}' object has no attribute 'splitlines'", call[0]);
  }
  Settings settings;
  std::string_view separator = "\n";
  const bool bound = call.truth(2, settings.breakLongWords) &&
                     (call[3].isNone() || call.text(3, separator)) &&
                     call.truth(4, settings.breakOnHyphens);
  if (!bound) return Value::failure();
  const text::Parts lines = text::splitLines(runtime.heap, call[0].text());
  if (lines.empty()) return Value::emptyString();
  double width = 79;
  if (!call.amount(1, width)) return Value::failure();
  if (width <= 0) return runtime.fail("invalid width (must be > 0)");
  // Of a word that is wider than a fraction of a character, textwrap takes one character.
  constexpr double kMost = UINT32_MAX / 2;
  settings.width = static_cast<size_t>(width < kMost ? std::max(width, 1.0) : kMost);
  const bool mayCut = !call[1].isDouble() || width < 1;
  Text out(runtime);
  for (size_t i = 0; i < lines.size() && !out.failed(); ++i) {
    if (i > 0) out.append(separator);
    const bool hasCut = appendWrapped(out, Line(runtime.heap, lines[i]), settings, separator);
    if (hasCut && !mayCut) return runtime.fail(kNoSliceIndex);
  }
  return out.take();
}

}  // namespace strata::jinja
