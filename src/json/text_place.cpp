#include "json/text_place.h"

#include <algorithm>

namespace strata::json {
namespace {

constexpr size_t kBlock = 1024;

// Returns how many units a byte begins. A character of four bytes is a surrogate pair.
size_t unitsOf(unsigned char byte, TextUnit unit) {
  if (unit == TextUnit::kByte) return 1;
  const bool continues = (byte & 0xC0U) == 0x80;
  return continues ? 0 : byte >= 0xF0 ? 2 : 1;
}

}  // namespace

TextPlaces::Count TextPlaces::counted(Count from, size_t offset) const {
  for (; from.at < offset; ++from.at) {
    from.units += unitsOf(static_cast<unsigned char>(text_[from.at]), unit_);
    if (text_[from.at] != '\n') continue;
    ++from.line;
    from.lineStart = from.units;
  }
  return from;
}

TextPlace TextPlaces::place(size_t offset) {
  const size_t end = std::min(offset, text_.size());
  const size_t block = end / kBlock;
  while (blocks_.size() <= block) {
    blocks_.push_back(counted(blocks_.back(), blocks_.size() * kBlock));
  }
  // Places that ascend, as most do, are counted from one to the next.
  const bool ascends = last_.at >= blocks_[block].at && last_.at <= end;
  last_ = counted(ascends ? last_ : blocks_[block], end);
  return {last_.units, last_.line, last_.units - last_.lineStart + 1};
}

std::string TextPlaces::describe(size_t offset) {
  const TextPlace found = place(offset);
  return "line " + std::to_string(found.line) + ", column " + std::to_string(found.column);
}

void writeRange(Writer& out, TextRange range) {
  const Writer::Scope list = out.array();
  out.integer(static_cast<int64_t>(range.begin)).integer(static_cast<int64_t>(range.end));
}

}  // namespace strata::json
