// Writes the sections of one half of a prompt and records the size and hash of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sections/section_entry.h"

namespace strata::prompt {

/// Collects the text and the entries of one half of a prompt.
class SectionWriter {
 public:
  /// Appends a section, after a blank line unless it is the first, and records its entry. Does
  /// nothing if `text` is blank.
  void add(const std::string& id, bool dynamic, std::string_view title, std::string_view text);

  const std::string& text() const { return text_; }
  const std::vector<sections::SectionEntry>& entries() const { return entries_; }

 private:
  std::string text_;
  std::vector<sections::SectionEntry> entries_;
};

}  // namespace strata::prompt
