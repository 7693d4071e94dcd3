// Stores the Contents of a thread as one run of bytes, so that a request, a saved form, a rewind,
// and a fork are slices of it.
//
//     {"role":"user",…},{"role":"model",…},{"role":"user",…}
//                      ^ commas are in the log, so any range of turns is one span of a JSON array
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace strata::thread {

/// An append-only byte string that copies share. The first copy to append extends the shared bytes;
/// any other copy duplicates its own part before it appends. Copying and truncating are O(1).
/// `append` keeps the bytes `[0, size())` readable at every allocation, also by copies.
class ByteLog {
 public:
  size_t size() const { return size_; }
  /// Returns the bytes `[from, to)`; `to` must not exceed `size()`, or what it was before this log
  /// was truncated. Valid until this log, or a copy that shares its bytes, is appended to.
  std::string_view slice(size_t from, size_t to) const {
    return std::string_view(storage_->bytes).substr(from, to - from);
  }

  /// Appends both strings, which must not point into this log. Amortized O(length); O(size) if
  /// another copy has extended the shared bytes.
  void append(std::string_view separator, std::string_view bytes) {
    if (storage_->bytes.size() != size_) {
      if (storage_.use_count() > 1) {
        storage_ = std::make_shared<Storage>(slice(0, size_));
      } else {
        storage_->bytes.resize(size_);
      }
    }
    storage_->reserve(size_ + separator.size() + bytes.size());
    storage_->bytes.append(separator).append(bytes);
    size_ = storage_->bytes.size();
  }

  void truncate(size_t size) { size_ = size; }

  /// Returns the place that holds the address of the bytes, also after a copy has moved them. Valid
  /// until this log is appended to.
  const volatile uintptr_t* addressPlace() const { return &storage_->address; }

 private:
  struct Storage {
    explicit Storage(std::string_view from) : bytes(from), address(addressOf(bytes)) {}
    static uintptr_t addressOf(const std::string& bytes) {
      return reinterpret_cast<uintptr_t>(bytes.data());
    }
    // Appending would move the bytes and release the old ones more than once before it returns.
    void reserve(size_t size) {
      if (size <= bytes.capacity()) return;
      bytes.reserve(std::max(size, std::min(2 * bytes.capacity(), bytes.max_size())));
      address = addressOf(bytes);
    }

    std::string bytes;
    volatile uintptr_t address;
  };

  std::shared_ptr<Storage> storage_ = std::make_shared<Storage>("");
  size_t size_ = 0;
};

}  // namespace strata::thread
