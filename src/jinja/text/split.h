// Why this file exists: what Python's str does with white space, separators and lines, for filters
// and methods alike. Every part is a view into the text that was given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "jinja/heap_vector.h"

namespace strata::jinja::text {

enum class Side : uint8_t { kLeft = 1, kRight = 2, kBoth = 3 };

/// Without the white space at its ends, or without any of the code points of `characters`.
std::string_view strip(std::string_view text, Side side = Side::kBoth,
                       std::optional<std::string_view> characters = std::nullopt);

/// In the Heap. At most `limit` cuts, all if it is negative.
using Parts = std::span<std::string_view>;

/// str.split() and str.rsplit() without a separator: words between runs of white space.
Parts splitWords(Heap& heap, std::string_view text, int64_t limit = -1);
Parts splitWordsFromRight(Heap& heap, std::string_view text, int64_t limit = -1);
/// The same with a separator that is not empty.
Parts splitAt(Heap& heap, std::string_view text, std::string_view separator, int64_t limit = -1);
Parts splitAtFromRight(Heap& heap, std::string_view text, std::string_view separator,
                       int64_t limit = -1);
/// str.splitlines()
Parts splitLines(Heap& heap, std::string_view text, bool keepEnds = false);

}  // namespace strata::jinja::text
