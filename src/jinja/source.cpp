#include "jinja/source.h"

#include <algorithm>
#include <utility>

#include "jinja/ops.h"

namespace strata::jinja {

Source::Source(std::string name, std::string text, bool keepTrailingNewline)
    : name_(std::move(name)), text_(std::move(text)) {
  if (text_.find('\r') != std::string::npos) {
    original_ = text_;
    size_t out = 0;
    for (size_t i = 0; i < original_.size(); ++i) {
      if (original_[i] == '\n' && i > 0 && original_[i - 1] == '\r') continue;
      text_[out++] = original_[i] == '\r' ? '\n' : original_[i];
    }
    text_.resize(out);
  }
  if (!keepTrailingNewline && !text_.empty() && text_.back() == '\n') text_.pop_back();
}

uint32_t Source::line(size_t offset) const {
  const auto end = text_.begin() + static_cast<ptrdiff_t>(std::min(offset, text_.size()));
  return 1 + static_cast<uint32_t>(std::count(text_.begin(), end, '\n'));
}

void Source::locate(TemplateError& error, size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::string_view before = text().substr(0, offset);
  const size_t start = before.rfind('\n') + 1;
  error.templateName = name_;
  error.line = line(offset);
  error.column = 1 + static_cast<uint32_t>(codePoints(before.substr(start)));
  error.offset = originalOffset(offset);
  error.excerpt = text().substr(start, text().find('\n', start) - start);
}

size_t Source::originalOffset(size_t offset) const {
  if (original_.empty()) return offset;
  size_t at = 0;
  for (; offset > 0; --offset) at += original_.compare(at, 2, "\r\n") == 0 ? 2 : 1;
  return at;
}

}  // namespace strata::jinja
