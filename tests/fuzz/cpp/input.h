// Splits the input of a fuzz target into choices and texts. Inputs are text, so that people can
// read and write them: the first line holds choices, one digit each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::fuzz {

/// Reads an input from its start. What is missing is 0 or empty, so every input is complete.
class Input {
 public:
  explicit Input(std::string_view bytes) : rest_(bytes) {}

  /// Returns the next choice, a number below `end`.
  size_t below(size_t end) {
    if (rest_.empty()) return 0;
    const auto digit = static_cast<uint8_t>(rest_.front() - '0');
    rest_.remove_prefix(1);
    return digit % end;
  }
  bool flag() { return below(2) == 1; }
  template <typename T, size_t N>
  T oneOf(const std::array<T, N>& all) {
    return all[below(N)];
  }

  /// Returns the bytes before the next line feed, and skips both.
  std::string_view line() {
    const size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return found;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

}  // namespace strata::fuzz
