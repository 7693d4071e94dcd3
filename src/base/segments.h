// Builds a byte string from borrowed and owned pieces, without copying the long borrowed ones.
//
//     pieces   [view into a thread][owned: ],"role":…][view into a thread]
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// The pieces of a text, in order. Borrowed bytes must outlive the object and must not change.
/// Views returned by `pieces()` are valid until the next `borrow` or `own`.
class Segments {
 public:
  Segments() = default;
  // The pieces of a copy would point into the original.
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  Segments(Segments&&) = default;
  Segments& operator=(Segments&&) = default;

  /// Appends `bytes` without copying them. Up to 512 bytes are copied, which is cheaper than a
  /// piece.
  void borrow(std::string_view bytes);
  /// Appends a copy of `bytes`. Consecutive copies form one piece.
  void own(std::string_view bytes);

  /// The total number of bytes.
  size_t size() const { return size_; }
  const std::vector<std::string_view>& pieces() const { return pieces_; }
  /// Returns all bytes as one string, in O(size()).
  std::string join() const;

 private:
  std::vector<std::string_view> pieces_;
  std::list<std::string> owned_;  // a list never moves its strings
  bool lastIsOwned_ = false;
  size_t size_ = 0;
};

}  // namespace strata
