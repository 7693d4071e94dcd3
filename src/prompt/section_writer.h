// Why this file exists: sections are written one behind the other, and each is hashed as it stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "json/writer.h"

namespace strata::prompt {

/// What a manifest says of one section; sizes are those of its text with its heading.
struct SectionEntry {
  std::string id;
  bool dynamic = false;
  size_t chars = 0;
  size_t bytes = 0;
  uint32_t tokens = 0;
  Digest digest{};
};

/// One half of a prompt.
class SectionWriter {
 public:
  /// Appends a section behind a blank line, and its entry; nothing where `text` is blank.
  void add(const std::string& id, bool dynamic, std::string_view title, std::string_view text);

  const std::string& text() const { return text_; }
  const std::vector<SectionEntry>& entries() const { return entries_; }

 private:
  std::string text_;
  std::vector<SectionEntry> entries_;
};

/// The entry of a text that stands alone.
SectionEntry sectionEntry(std::string id, bool dynamic, std::string_view text);

/// Writes one element of a manifest's `sections`.
void writeSectionEntry(json::Writer& out, const SectionEntry& entry);

}  // namespace strata::prompt
