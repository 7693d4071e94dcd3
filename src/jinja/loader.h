// Loads templates by name. Each is compiled once, on first use.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jinja/error.h"
#include "jinja/options.h"
#include "jinja/parser.h"
#include "jinja/source.h"

namespace strata::jinja {

/// One parsed and resolved template, with the heap that owns its nodes.
class Compiled {
 public:
  /// Compiles `text`. Check error() afterward.
  Compiled(std::string name, std::string text, const Options& options);

  const Source& source() const { return source_; }
  const Unit& root() const { return parsed_.root; }
  std::span<BlockStmt*> blocks() const { return parsed_.blocks; }
  /// The names that the template reads from its context, without globals. Sorted.
  const std::vector<std::string>& variables() const { return variables_; }
  /// The include, import and extends statements whose templates see this template's context.
  std::span<const TemplateStmt*> references() const { return references_; }
  /// The error if the template could not be compiled. Then nothing else is usable.
  const std::optional<TemplateError>& error() const { return error_; }

 private:
  void read(const Options& options);

  Source source_;
  Budget budget_;
  Heap heap_;
  Parsed parsed_;
  std::vector<std::string> variables_;
  std::span<const TemplateStmt*> references_;
  std::optional<TemplateError> error_;
};

/// The templates of one Options object. Not thread-safe: find() compiles on demand.
class Loader {
 public:
  /// Compiles the main template from `source`.
  Loader(std::string source, Options options, std::string name);

  const Options& options() const { return options_; }
  const Compiled& main() const { return *compiled_.front(); }
  /// Returns the names that the main template reads from the render's context, sorted. It follows
  /// include, extends and import with context when the template name is a constant, and omits names
  /// that one of these templates sets for another.
  std::vector<std::string> variables();
  /// Returns the template, or null if the name is unknown. A template that failed to compile is
  /// returned with its error. Pointers stay valid as long as the Loader.
  const Compiled* find(std::string_view name);

 private:
  Options options_;
  std::vector<std::unique_ptr<Compiled>> compiled_;  // the main template first
};

}  // namespace strata::jinja
