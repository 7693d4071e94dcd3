// Why this file exists: what an importer changes or leaves out is told, each kind of it once: a
// history of a thousand messages must not bury its reader.
#pragma once

#include <string>
#include <vector>

#include "rules/finding.h"

namespace strata::history {

/// Findings about an import. Their paths point into what was imported.
class Notes {
 public:
  /// The same rule, subject and other told again is only counted.
  void add(rules::Rule rule, const std::string& path, std::string subject, std::string other = {},
           rules::Severity atMost = rules::Severity::kError);

  void converted(const std::string& path, std::string subject, std::string other) {
    add(rules::Rule::kImportConverted, path, std::move(subject), std::move(other));
  }
  void leftOut(const std::string& path, std::string subject, std::string why) {
    add(rules::Rule::kImportLeftOut, path, std::move(subject), std::move(why));
  }
  /// A field that nothing hangs on.
  void leftOutField(const std::string& path, std::string_view name);
  /// A field that is null, which means that it is not there.
  void leftOutNull(const std::string& path);

  /// All notes, in the order of their first places.
  rules::Findings take();

 private:
  struct Note {
    rules::Finding finding;
    size_t times = 1;
  };
  std::vector<Note> notes_;
};

}  // namespace strata::history
