#include "prompt/section_writer.h"

#include "prompt/plain_text.h"
#include "tokens/estimate.h"

namespace strata::prompt {

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

void SectionWriter::add(const std::string& id, bool dynamic, std::string_view title,
                        std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return;
  if (!text_.empty()) text_ += "\n\n";
  const size_t begin = text_.size();
  if (!title.empty()) text_.append("## ").append(title).append("\n");
  text_.append(text);
  entries_.push_back(sectionEntry(id, dynamic, std::string_view(text_).substr(begin)));
}

void writeSectionEntry(json::Writer& out, const SectionEntry& entry) {
  out.open('{').key("id").string(entry.id);
  out.key("stability").string(entry.dynamic ? "dynamic" : "stable");
  out.key("chars").integer(static_cast<int64_t>(entry.chars));
  out.key("bytes").integer(static_cast<int64_t>(entry.bytes));
  out.key("tokens").integer(entry.tokens);
  out.key("fingerprint").string(toHex(entry.digest)).close('}');
}

}  // namespace strata::prompt
