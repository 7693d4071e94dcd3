#include "jinja/text/split.h"

#include <algorithm>

#include "base/utf8.h"
#include "jinja/text/characters.h"
#include "jinja/text/search.h"

namespace strata::jinja::text {
namespace {

bool isOneOf(uint32_t codePoint, std::string_view characters) {
  for (size_t at = 0; at < characters.size();) {
    if (decodeUtf8(characters, at) == codePoint) return true;
  }
  return false;
}

// Returns the start of the last code point before `end`.
size_t previousStart(std::string_view text, size_t end) {
  do --end;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  return end;
}

// Returns the end of the run of white space, or of other characters, that begins at `at`.
size_t runEnd(std::string_view text, size_t at, bool spaces) {
  while (at < text.size()) {
    size_t next = at;
    if (isSpace(decodeUtf8(text, next)) != spaces) break;
    at = next;
  }
  return at;
}

// Returns the start of the run that ends at `end`.
size_t runBegin(std::string_view text, size_t end, bool spaces) {
  while (end > 0) {
    const size_t previous = previousStart(text, end);
    size_t at = previous;
    if (isSpace(decodeUtf8(text, at)) != spaces) break;
    end = previous;
  }
  return end;
}

bool maySplit(const HeapVector<std::string_view>& parts, int64_t limit) {
  return limit < 0 || static_cast<int64_t>(parts.size()) < limit;
}

template <typename Drops>
std::string_view stripWhere(std::string_view text, Side side, Drops drops) {
  const auto sides = static_cast<unsigned>(side);
  while ((sides & 1U) != 0 && !text.empty()) {
    size_t next = 0;
    if (!drops(decodeUtf8(text, next))) break;
    text.remove_prefix(next);
  }
  while ((sides & 2U) != 0 && !text.empty()) {
    const size_t last = previousStart(text, text.size());
    size_t at = last;
    if (!drops(decodeUtf8(text, at))) break;
    text = text.substr(0, last);
  }
  return text;
}

}  // namespace

std::string_view strip(std::string_view text, Side side) { return stripWhere(text, side, isSpace); }

std::string_view strip(Budget& budget, std::string_view text, Side side,
                       std::optional<std::string_view> characters) {
  if (!characters) return strip(text, side);
  return stripWhere(text, side, [&](uint32_t codePoint) {
    return budget.examine(characters->size()) && isOneOf(codePoint, *characters);
  });
}

Parts splitWords(Heap& heap, std::string_view text, int64_t limit) {
  HeapVector<std::string_view> parts(heap);
  for (size_t at = runEnd(text, 0, true); at < text.size();) {
    if (!maySplit(parts, limit)) {
      parts.add(text.substr(at));
      break;
    }
    const size_t end = runEnd(text, at, false);
    parts.add(text.substr(at, end - at));
    at = runEnd(text, end, true);
  }
  return parts.span();
}

Parts splitWordsFromRight(Heap& heap, std::string_view text, int64_t limit) {
  HeapVector<std::string_view> parts(heap);
  for (size_t end = runBegin(text, text.size(), true); end > 0;) {
    if (!maySplit(parts, limit)) {
      parts.add(text.substr(0, end));
      break;
    }
    const size_t begin = runBegin(text, end, false);
    parts.add(text.substr(begin, end - begin));
    end = runBegin(text, begin, true);
  }
  std::reverse(parts.begin(), parts.end());
  return parts.span();
}

Parts splitAt(Heap& heap, std::string_view text, std::string_view separator, int64_t limit) {
  // Count first: these lists can be long, and a growing list leaves its old storage in the Heap.
  size_t count = 1;
  std::string_view rest = text;
  for (size_t at = find(rest, separator); at != std::string_view::npos && limit != 0;
       at = find(rest, separator)) {
    if (static_cast<int64_t>(count++) == limit) break;
    rest.remove_prefix(at + separator.size());
  }
  auto* parts = heap.array<std::string_view>(count);
  for (size_t i = 0; i + 1 < count; ++i) {
    const size_t found = find(text, separator);
    parts[i] = text.substr(0, found);
    text.remove_prefix(found + separator.size());
  }
  parts[count - 1] = text;
  return {parts, count};
}

Parts splitAtFromRight(Heap& heap, std::string_view text, std::string_view separator,
                       int64_t limit) {
  HeapVector<std::string_view> parts(heap);
  while (maySplit(parts, limit)) {
    const size_t found = rfind(text, separator);
    if (found == std::string_view::npos) break;
    parts.add(text.substr(found + separator.size()));
    text = text.substr(0, found);
  }
  parts.add(text);
  std::reverse(parts.begin(), parts.end());
  return parts.span();
}

Parts splitLines(Heap& heap, std::string_view text, bool keepEnds) {
  HeapVector<std::string_view> lines(heap);
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = at;
    const uint32_t c = decodeUtf8(text, at);
    if (!isLineBreak(c)) continue;
    if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
    lines.add(text.substr(begin, (keepEnds ? at : end) - begin));
    begin = at;
  }
  if (begin < text.size()) lines.add(text.substr(begin));
  return lines.span();
}

}  // namespace strata::jinja::text
