#include "json/segments.h"

namespace strata::json {

void Segments::borrow(std::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (!pieces_.empty() && pieces_.back().data() + pieces_.back().size() == bytes.data()) {
    pieces_.back() = {pieces_.back().data(), pieces_.back().size() + bytes.size()};
  } else {
    pieces_.push_back(bytes);
  }
}

void Segments::own(std::string bytes) {
  if (bytes.empty()) return;
  owned_.push_back(std::move(bytes));
  borrow(owned_.back());
}

std::string Segments::join() const {
  std::string out;
  out.reserve(size_);
  for (const std::string_view piece : pieces_) out.append(piece);
  return out;
}

}  // namespace strata::json
