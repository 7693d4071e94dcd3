// Strips and splits texts as Python's str does. Every returned part is a view into the given text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "jinja/heap_vector.h"

namespace strata::jinja::text {

enum class Side : uint8_t { kLeft = 1, kRight = 2, kBoth = 3 };

/// Returns `text` without white space at the given sides.
std::string_view strip(std::string_view text, Side side = Side::kBoth);
/// The same for white space, or the given characters, of which a template may have many: pays for
/// each comparison. Stops where the Budget ends: the render then fails.
std::string_view strip(Budget& budget, std::string_view text, Side side,
                       std::optional<std::string_view> characters);

/// The parts of a split, an array in the Heap. `limit` is the maximum number of splits; a negative
/// one means no maximum.
using Parts = std::span<std::string_view>;

/// str.split() and str.rsplit() without a separator: splits at runs of white space.
Parts splitWords(Heap& heap, std::string_view text, int64_t limit = -1);
Parts splitWordsFromRight(Heap& heap, std::string_view text, int64_t limit = -1);
/// str.split() and str.rsplit() with a separator, which must not be empty.
Parts splitAt(Heap& heap, std::string_view text, std::string_view separator, int64_t limit = -1);
Parts splitAtFromRight(Heap& heap, std::string_view text, std::string_view separator,
                       int64_t limit = -1);
/// str.splitlines()
Parts splitLines(Heap& heap, std::string_view text, bool keepEnds = false);

}  // namespace strata::jinja::text
