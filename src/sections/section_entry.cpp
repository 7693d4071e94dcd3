#include "sections/section_entry.h"

#include "base/plain_text.h"
#include "tokens/estimate.h"

namespace strata::sections {

SectionEntry sectionEntry(std::string id, bool dynamic, std::string_view text) {
  SectionEntry entry;
  entry.id = std::move(id);
  entry.dynamic = dynamic;
  entry.chars = countCharacters(text);
  entry.bytes = text.size();
  entry.tokens = static_cast<uint32_t>(tokens::estimateText(text));
  entry.digest = sha256(text);
  return entry;
}

void writeSectionEntry(json::Writer& out, const SectionEntry& entry) {
  out.open('{').key("id").string(entry.id);
  out.key("stability").string(entry.dynamic ? "dynamic" : "stable");
  out.key("chars").integer(static_cast<int64_t>(entry.chars));
  out.key("bytes").integer(static_cast<int64_t>(entry.bytes));
  out.key("tokens").integer(entry.tokens);
  out.key("fingerprint").string(toHex(entry.digest)).close('}');
}

}  // namespace strata::sections
