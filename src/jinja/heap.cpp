#include "jinja/heap.h"

#include <algorithm>
#include <cstdlib>

namespace strata::jinja {
namespace {

constexpr size_t kFirstChunk = size_t{16} << 10U;
constexpr size_t kLargestChunk = size_t{1} << 20U;

}  // namespace

Heap::~Heap() {
  while (chunk_ != nullptr) {
    Chunk* previous = chunk_->previous;
    std::free(chunk_);
    chunk_ = previous;
  }
}

void Heap::grow(size_t bytes) {
  const size_t usual = chunk_ == nullptr ? kFirstChunk : std::min(chunk_->bytes * 2, kLargestChunk);
  const size_t size = std::max(usual, bytes + sizeof(Chunk));
  auto* chunk = static_cast<Chunk*>(std::malloc(size));
  if (chunk == nullptr) std::abort();
  chunk->previous = chunk_;
  chunk->bytes = size;
  chunk_ = chunk;
  next_ = reinterpret_cast<char*>(chunk + 1);
  end_ = reinterpret_cast<char*>(chunk) + size;
  total_ += size;
  if (total_ > budget_.limits().memory) budget_.exhaust();
}

std::string_view Heap::join(std::string_view left, std::string_view right) {
  if (left.empty() && right.empty()) return {};
  if (!left.empty() && extend(left.data(), left.size(), right.size())) {
    std::copy(right.begin(), right.end(), next_ - right.size());
    return {left.data(), left.size() + right.size()};
  }
  const size_t size = left.size() + right.size();
  // What is joined once is often joined again: leave room behind a long text.
  char* place = static_cast<char*>(allocate(size + (right.empty() ? 0 : size / 2)));
  std::copy(left.begin(), left.end(), place);
  std::copy(right.begin(), right.end(), place + left.size());
  next_ = place + size;
  return {place, size};
}

}  // namespace strata::jinja
