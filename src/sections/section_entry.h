// Describes one section of a prompt in a manifest.
#pragma once

#include <string>
#include <string_view>

#include "base/sha256.h"
#include "json/writer.h"

namespace strata::sections {

/// Describes one section in a manifest. Sizes and digest cover its heading and text.
struct SectionEntry {
  std::string id;
  bool dynamic = false;
  size_t chars = 0;
  size_t bytes = 0;
  uint32_t tokens = 0;
  Digest digest{};
};

/// Returns the entry for `text`, which includes its heading if it has one.
SectionEntry sectionEntry(std::string id, bool dynamic, std::string_view text);

/// Appends `entry` as one element of a manifest's `sections`.
void writeSectionEntry(json::Writer& out, const SectionEntry& entry);

}  // namespace strata::sections
