#include "base/segments.h"

namespace strata {
namespace {

// Up to here a piece of its own, which crosses the border alone, costs more than its copy.
constexpr size_t kShort = 512;

}  // namespace

void Segments::borrow(std::string_view bytes) {
  if (bytes.size() <= kShort) return own(bytes);
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

}  // namespace strata
