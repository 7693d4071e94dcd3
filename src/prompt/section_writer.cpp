#include "prompt/section_writer.h"

#include "base/plain_text.h"

namespace strata::prompt {

void SectionWriter::add(const std::string& id, bool dynamic, std::string_view title,
                        std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return;
  if (!text_.empty()) text_ += "\n\n";
  const size_t begin = text_.size();
  if (!title.empty()) text_.append("## ").append(title).append("\n");
  text_.append(text);
  entries_.push_back(sections::sectionEntry(id, dynamic, std::string_view(text_).substr(begin)));
}

}  // namespace strata::prompt
