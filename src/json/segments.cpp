#include "json/segments.h"

namespace strata::json {

void Segments::borrow(std::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  lastIsOwned_ = false;
  pieces_.push_back(bytes);
}

void Segments::own(std::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (lastIsOwned_) {
    owned_.back().append(bytes);
    pieces_.back() = owned_.back();
  } else {
    pieces_.emplace_back(owned_.emplace_back(bytes));
  }
  lastIsOwned_ = true;
}

std::string Segments::join() const {
  std::string out;
  out.reserve(size_);
  for (const std::string_view piece : pieces_) out.append(piece);
  return out;
}

}  // namespace strata::json
