#include "base/text_index.h"

namespace strata {

void TextIndex::add(std::string text, int32_t number) { entries_.emplace(std::move(text), number); }

void TextIndex::remove(const std::string& text, int32_t number) { entries_.erase({text, number}); }

int32_t TextIndex::find(const std::string& text) const {
  const auto found = entries_.lower_bound({text, 0});
  return found != entries_.end() && found->first == text ? found->second : -1;
}

}  // namespace strata
