// Why this file exists: templates by name, each compiled once, when it is first asked for.
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

/// One template, read and resolved, with the heap that its nodes live in.
class Compiled {
 public:
  Compiled(std::string name, std::string text, const Options& options);

  const Source& source() const { return source_; }
  const Unit& root() const { return parsed_.root; }
  std::span<BlockStmt*> blocks() const { return parsed_.blocks; }
  /// What it reads from its context and is no global, sorted.
  const std::vector<std::string>& variables() const { return variables_; }
  /// The statements that name other templates which see its context.
  std::span<const TemplateStmt*> references() const { return references_; }
  /// Why it could not be read, if it could not.
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

class Loader {
 public:
  Loader(std::string source, Options options, std::string name);

  const Options& options() const { return options_; }
  const Compiled& main() const { return *compiled_.front(); }
  /// What the main template and all templates that it leads to by a constant name read from the
  /// render's context, sorted; not what one of them sets for another.
  std::vector<std::string> variables();
  /// Null if there is none of that name; it may hold an error.
  const Compiled* find(std::string_view name);

 private:
  Options options_;
  std::vector<std::unique_ptr<Compiled>> compiled_;  // the main template first
};

}  // namespace strata::jinja
