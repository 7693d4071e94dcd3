#include "jinja/frame.h"

#include <algorithm>

namespace strata::jinja {

Value* ValueStack::take(size_t count) {
  constexpr size_t kChunk = 512;
  while (chunk_ >= chunks_.size() || chunks_[chunk_].size() - used_ < count) {
    if (chunk_ < chunks_.size()) ++chunk_;
    used_ = 0;
    if (chunk_ == chunks_.size()) chunks_.emplace_back(std::max(kChunk, count));
  }
  Value* place = chunks_[chunk_].data() + used_;
  used_ += count;
  std::fill(place, place + count, Value::absent());
  return place;
}

}  // namespace strata::jinja
