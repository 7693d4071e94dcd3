// Why this file exists: what an importer changes or leaves out is told, each kind of it once: a
// history of a thousand messages must not bury its reader.
#pragma once

#include <string>
#include <vector>

#include "history/import/path.h"
#include "rules/finding.h"

namespace strata::history {

/// Findings about an import. Their paths point into what was imported.
class Notes {
 public:
  /// The same rule, subject and other told again is only counted.
  void add(rules::Rule rule, const Path& path, std::string_view subject,
           std::string_view other = {}, rules::Severity atMost = rules::Severity::kError);

  void addAt(rules::Rule rule, std::string_view pointer, std::string_view subject,
             std::string_view other = {}, rules::Severity atMost = rules::Severity::kError);

  void converted(const Path& path, std::string_view subject, std::string_view other) {
    add(rules::Rule::kImportConverted, path, subject, other);
  }
  void leftOut(const Path& path, std::string_view subject, std::string_view why) {
    add(rules::Rule::kImportLeftOut, path, subject, why);
  }
  /// A field that nothing hangs on.
  void leftOutField(const Path& path, std::string_view name);
  /// A field that is null, which means that it is not there.
  void leftOutNull(const Path& path);

  /// Adds all notes of another.
  void append(const Notes& others);

  /// All notes, in the order of their first places.
  rules::Findings take();

 private:
  struct Note {
    rules::Finding finding;
    size_t times = 1;
  };
  bool count(rules::Rule rule, std::string_view subject, std::string_view other, size_t times);

  std::vector<Note> notes_;
};

}  // namespace strata::history
