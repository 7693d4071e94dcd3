// Holds a template's text with normalized line breaks, as Jinja2 reads it: each line break becomes
//   and a single final one is removed. Maps offsets back to the original text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "jinja/error.h"

namespace strata::jinja {

class Source {
 public:
  /// Normalizes `text`. `keepTrailingNewline` keeps the final line break.
  Source(std::string name, std::string text, bool keepTrailingNewline);

  /// Keeps `text` as it is.
  Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  const std::string& name() const { return name_; }
  /// Returns the normalized text. All offsets in this directory refer to it.
  std::string_view text() const { return text_; }

  /// Returns the line of `offset`, counted from 1.
  uint32_t line(size_t offset) const;
  /// Sets the template name, line, column and excerpt of `error`, and its offset in the original
  /// text. Takes time linear in the length of the text.
  void locate(TemplateError& error, size_t offset) const;

 private:
  size_t originalOffset(size_t offset) const;

  std::string name_;
  std::string text_;
  std::string original_;  // only if it differs from text_ in more than the final line break
};

}  // namespace strata::jinja
