#include "jinja/heap.h"

#include <algorithm>
#include <new>

namespace strata::jinja {
namespace {

constexpr size_t kFirstChunk = size_t{16} << 10U;
constexpr size_t kLargestChunk = size_t{1} << 20U;

}  // namespace

Arena::~Arena() {
  while (chunk_ != nullptr) {
    Chunk* previous = chunk_->previous;
    ::operator delete(chunk_);
    chunk_ = previous;
  }
}

void Arena::grow(size_t bytes) {
  const size_t usual = chunk_ == nullptr ? kFirstChunk : std::min(chunk_->bytes * 2, kLargestChunk);
  const size_t size = std::max(usual, bytes + sizeof(Chunk));
  auto* chunk = static_cast<Chunk*>(::operator new(size));
  chunk->previous = chunk_;
  chunk->bytes = size;
  chunk_ = chunk;
  next_ = reinterpret_cast<char*>(chunk + 1);
  end_ = reinterpret_cast<char*>(chunk) + size;
  budget_.chargeMemory(size);
}

std::string_view Heap::join(std::string_view left, std::string_view right) {
  const size_t size = left.size() + right.size();
  if (size == 0) return {};
  const char* place = left.data();
  if (left.empty() || !texts.extend(place, left.size(), right.size())) {
    // Reserve extra room: a text that is joined once is likely to be joined again.
    const size_t room = size + (right.empty() ? 0 : size / 2);
    char* made = texts.take(room);
    std::copy(left.begin(), left.end(), made);
    texts.releaseTail(made, size, room);
    place = made;
  }
  std::copy(right.begin(), right.end(), const_cast<char*>(place) + left.size());
  return {place, size};
}

}  // namespace strata::jinja
