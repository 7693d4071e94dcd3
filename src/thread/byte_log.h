// Why this file exists: a thread's Contents are one run of bytes, so that a request, a save, a
// rewind and a fork are slices of it and nothing is ever written twice.
//
//     {"role":"user",…},{"role":"model",…},{"role":"user",…}
//                     ^ commas are in the log, so any range of turns is one span of a JSON array
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace strata::thread {

/// Append-only bytes that copies share. The copy that appends first keeps them; another that then
/// appends something else takes its own.
class ByteLog {
 public:
  size_t size() const { return size_; }
  std::string_view slice(size_t from, size_t to) const {
    return std::string_view(*bytes_).substr(from, to - from);
  }

  void append(std::string_view separator, std::string_view bytes) {
    if (bytes_->size() != size_) {
      if (bytes_.use_count() > 1) {
        bytes_ = std::make_shared<std::string>(*bytes_, 0, size_);
      } else {
        bytes_->resize(size_);
      }
    }
    bytes_->append(separator).append(bytes);
    size_ = bytes_->size();
  }

  void truncate(size_t size) { size_ = size; }

 private:
  std::shared_ptr<std::string> bytes_ = std::make_shared<std::string>();
  size_t size_ = 0;
};

}  // namespace strata::thread
