#include "json/text_place.h"

#include <algorithm>

namespace strata::json {

std::string TextPlaces::describe(size_t offset) {
  for (const size_t end = std::min(offset, text_.size()); at_ < end; ++at_) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '\n') {
      ++line_;
      column_ = 1;
    } else if ((byte & 0xC0U) != 0x80) {
      // A character of four bytes is a surrogate pair.
      column_ += byte >= 0xF0 ? 2 : 1;
    }
  }
  return "line " + std::to_string(line_) + ", column " + std::to_string(column_);
}

}  // namespace strata::json
