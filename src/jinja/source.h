// Why this file exists: a template's text as Jinja2 reads it (line breaks are \n, the last one is
// dropped), and where a place in it is in the text that was given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/error.h"

namespace strata::jinja {

class Source {
 public:
  Source(std::string name, std::string text, bool keepTrailingNewline);

  const std::string& name() const { return name_; }
  /// What is lexed; all offsets in this room count in it.
  std::string_view text() const { return text_; }

  /// From 1.
  uint32_t line(size_t offset) const;
  /// Fills in template, line, column, excerpt, and the offset in the given text.
  void place(TemplateError& error, size_t offset) const;

 private:
  size_t givenOffset(size_t offset) const;

  std::string name_;
  std::string text_;
  std::string given_;  // only where it differs from text_ by more than its end
};

}  // namespace strata::jinja
