// Implements the two-way algorithm (Crochemore and Perrin, "Two-way string-matching", 1991), which
// needs no memory.
#include "jinja/text/search.h"

#include <algorithm>
#include <cstdint>

namespace strata::jinja::text {
namespace {

// A text read from its start, or backwards from its end.
struct Sequence {
  Sequence(std::string_view text, bool backwards)
      : first(text.data() + (backwards ? text.size() - 1 : 0)),
        step(backwards ? -1 : 1),
        size(text.size()) {}
  unsigned char at(size_t index) const {
    return static_cast<unsigned char>(first[static_cast<ptrdiff_t>(index) * step]);
  }

  const char* first;
  ptrdiff_t step;
  size_t size;
};

struct Suffix {
  size_t begin = 0;
  size_t period = 1;
};

// Returns the greatest suffix in the order of bytes, or the reversed order, and its period.
Suffix greatestSuffix(const Sequence& part, bool reversed) {
  Suffix best;
  size_t common = 0;
  for (size_t other = 1; other + common < part.size;) {
    unsigned char left = part.at(other + common);
    unsigned char right = part.at(best.begin + common);
    if (reversed) std::swap(left, right);
    if (left == right) {
      if (++common < best.period) continue;
      other += common;
    } else if (left < right) {
      other += common + 1;
      best.period = other - best.begin;
    } else {
      best = {other, 1};
      ++other;
    }
    common = 0;
  }
  return best;
}

bool repeats(const Sequence& part, const Suffix& suffix) {
  for (size_t i = 0; i < suffix.begin; ++i) {
    if (suffix.period + i >= part.size || part.at(i) != part.at(suffix.period + i)) return false;
  }
  return true;
}

size_t search(const Sequence& text, const Sequence& part) {
  const Suffix one = greatestSuffix(part, false);
  const Suffix other = greatestSuffix(part, true);
  Suffix split = one.begin > other.begin ? one : other;
  const bool periodic = repeats(part, split);
  if (!periodic) split.period = std::max(split.begin, part.size - split.begin) + 1;
  size_t known = 0;  // The first bytes of `part` that are known to occur at `at`.
  for (size_t at = 0; at + part.size <= text.size;) {
    size_t right = std::max(split.begin, known);
    while (right < part.size && part.at(right) == text.at(at + right)) ++right;
    if (right < part.size) {
      at += right - split.begin + 1;
      known = 0;
      continue;
    }
    size_t left = split.begin;
    while (left > known && part.at(left - 1) == text.at(at + left - 1)) --left;
    if (left <= known) return at;
    at += split.period;
    known = periodic ? part.size - split.period : 0;
  }
  return std::string_view::npos;
}

}  // namespace

size_t find(std::string_view text, std::string_view part) {
  if (part.size() < 2 || part.size() > text.size()) return text.find(part);
  return search(Sequence(text, false), Sequence(part, false));
}

size_t rfind(std::string_view text, std::string_view part) {
  if (part.size() < 2 || part.size() > text.size()) return text.rfind(part);
  const size_t at = search(Sequence(text, true), Sequence(part, true));
  return at == std::string_view::npos ? at : text.size() - part.size() - at;
}

}  // namespace strata::jinja::text
