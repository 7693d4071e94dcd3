// Loads pongo2 templates: the main one, and those that it includes, extends or imports.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/error.h"
#include "jinja/heap_vector.h"
#include "jinja/options.h"
#include "jinja/pongo2/node.h"

namespace strata::jinja::pongo2 {

class Library;

/// What the parsers of one compilation, or of one include at run time, share.
struct Reading {
  Reading(Library& from, Heap& nodes, Budget& fuel)
      : library(from), heap(nodes), budget(fuel), bound(nodes), read(nodes) {}

  Library& library;
  Heap& heap;
  Budget& budget;
  std::optional<TemplateError> error;  ///< The first error.
  uint32_t slots = 0;                  ///< The states that the tags so far need.
  uint32_t depth = 0;                  ///< Nesting of templates.
  uint32_t nesting = 0;                ///< Nesting of tags and expressions in all of them.
  HeapVector<std::string_view> bound;  ///< The names that tags around or before have set.
  HeapVector<std::string_view> read;   ///< The names that come from the context.
  bool isolated = false;               ///< The context is not visible.
};

class Library {
 public:
  /// Compiles the main template from `source`. Check error() afterward.
  Library(std::string source, Options options, std::string name);

  const Options& options() const { return options_; }
  const std::optional<TemplateError>& error() const { return error_; }
  const Document& main() const { return *main_; }
  uint32_t slots() const { return slots_; }
  /// The names that the template and those that it names by a string read from the context. Sorted.
  const std::vector<std::string>& variables() const { return variables_; }

  /// Returns the source of a template, or null if the name is unknown.
  const Source* find(std::string_view name);
  /// Parses `source`. Returns null after an error, which is then in `reading`.
  static Document* parse(const Source& source, Reading& reading);

 private:
  Options options_;
  Budget budget_;
  Heap heap_;
  std::vector<std::unique_ptr<Source>> sources_;
  const Document* main_ = nullptr;
  uint32_t slots_ = 0;
  std::optional<TemplateError> error_;
  std::vector<std::string> variables_;
};

}  // namespace strata::jinja::pongo2
