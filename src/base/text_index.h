// Finds numbers by the text that they belong to, also among very many and whatever the texts are.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace strata {

/// Each text may have several numbers, and each number several texts. Complexity: `clear` is O(n),
/// all others are O(log n).
class TextIndex {
 public:
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }

  /// Adds `number`, which is not negative, to those of `text`.
  void add(std::string text, int32_t number);
  /// Removes what `add` added.
  void remove(const std::string& text, int32_t number);
  /// Returns the lowest number of `text`, or -1 if it has none.
  int32_t find(const std::string& text) const;

 private:
  std::set<std::pair<std::string, int32_t>> entries_;
};

}  // namespace strata
