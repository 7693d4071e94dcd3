#include "base/segments.h"

#include <algorithm>

namespace strata {
namespace {

// Pieces up to this size are copied: each piece costs one call across the JavaScript/WebAssembly
// boundary.
constexpr size_t kMaxCopied = 512;

}  // namespace

void Segments::borrow(std::string_view bytes) {
  if (bytes.size() <= kMaxCopied) return own(bytes);
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
    std::string& piece = owned_.emplace_back();
    piece.reserve(std::max(bytes.size(), kMaxCopied));
    pieces_.emplace_back(piece.append(bytes));
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
