// Why this file exists: a body, a saved thread and a mended history are all "these bytes, then
// those": spans of bytes that exist already and short new ones. One function turns them into bytes.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// Pieces of a text in order. Borrowed pieces must outlive it; owned ones live inside.
class Segments {
 public:
  Segments() = default;
  // A copy's pieces would point into the original.
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;
  Segments(Segments&&) = default;
  Segments& operator=(Segments&&) = default;

  /// Adds bytes that stay where they are; a few of them are copied, which costs less than a piece.
  void borrow(std::string_view bytes);
  /// Adds bytes that are kept here. Short ones in a row become one piece.
  void own(std::string_view bytes);

  size_t size() const { return size_; }
  const std::vector<std::string_view>& pieces() const { return pieces_; }
  /// The one place where segments become bytes.
  std::string join() const;

 private:
  std::vector<std::string_view> pieces_;
  std::deque<std::string> owned_;  // a deque: its strings never move
  bool lastIsOwned_ = false;
  size_t size_ = 0;
};

}  // namespace strata
