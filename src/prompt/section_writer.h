// Writes the sections of one half of a prompt and records the size and hash of each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "json/writer.h"

namespace strata::prompt {

/// Describes one section in a manifest. Sizes and digest cover its heading and text.
struct SectionEntry {
  std::string id;
  bool dynamic = false;
  size_t chars = 0;
  size_t bytes = 0;
  uint32_t tokens = 0;
  Digest digest{};
};

/// Collects the text and the entries of one half of a prompt.
class SectionWriter {
 public:
  /// Appends a section, after a blank line unless it is the first, and records its entry. Does
  /// nothing if `text` is blank.
  void add(const std::string& id, bool dynamic, std::string_view title, std::string_view text);

  const std::string& text() const { return text_; }
  const std::vector<SectionEntry>& entries() const { return entries_; }

 private:
  std::string text_;
  std::vector<SectionEntry> entries_;
};

/// Returns the entry for `text`, which includes its heading if it has one.
SectionEntry sectionEntry(std::string id, bool dynamic, std::string_view text);

/// Appends `entry` as one element of a manifest's `sections`.
void writeSectionEntry(json::Writer& out, const SectionEntry& entry);

}  // namespace strata::prompt
