#include "json/text_place.h"

#include <algorithm>

namespace strata::json {
namespace {

// Returns how many units a byte begins. A character of four bytes is a surrogate pair.
size_t unitsOf(unsigned char byte, TextUnit unit) {
  if (unit == TextUnit::kByte) return 1;
  const bool continues = (byte & 0xC0U) == 0x80;
  return continues ? 0 : byte >= 0xF0 ? 2 : 1;
}

}  // namespace

TextPlace TextPlaces::place(size_t offset) {
  for (const size_t end = std::min(offset, text_.size()); at_ < end; ++at_) {
    units_ += unitsOf(static_cast<unsigned char>(text_[at_]), unit_);
    if (text_[at_] != '\n') continue;
    ++line_;
    lineStart_ = units_;
  }
  return {units_, line_, units_ - lineStart_ + 1};
}

std::string TextPlaces::describe(size_t offset) {
  const TextPlace found = place(offset);
  return "line " + std::to_string(found.line) + ", column " + std::to_string(found.column);
}

}  // namespace strata::json
