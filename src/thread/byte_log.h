// Stores the Contents of a thread as one run of bytes, so that a request, a saved form, a rewind,
// and a fork are slices of it.
//
//     {"role":"user",…},{"role":"model",…},{"role":"user",…}
//                      ^ commas are in the log, so any range of turns is one span of a JSON array
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace strata::thread {

/// An append-only byte string that copies share. The first copy to append extends the shared bytes;
/// any other copy duplicates its own part before it appends. Copying and truncating are O(1).
class ByteLog {
 public:
  size_t size() const { return size_; }
  /// Returns the bytes `[from, to)`; `to` must not exceed `size()`. Valid until this log, or a copy
  /// that shares its bytes, is appended to.
  std::string_view slice(size_t from, size_t to) const {
    return std::string_view(*bytes_).substr(from, to - from);
  }

  /// Appends both strings, which must not point into this log. Amortized O(length); O(size) if
  /// another copy has extended the shared bytes.
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
