// Why this file exists: what an importer changes or leaves out is told, each kind of it once: a
// history of a thousand messages must not bury its reader.
#pragma once

#include <string>
#include <vector>

#include "catalogue/finding.h"
#include "dialects/path.h"

namespace strata::dialects {

/// Findings about an import. Their paths point into what was imported.
class Notes {
 public:
  /// The same rule, subject and other told again is only counted.
  void add(catalogue::Rule rule, const Path& path, std::string_view arg1,
           std::string_view arg2 = {},
           catalogue::Severity severityCap = catalogue::Severity::kError);

  void addAt(catalogue::Rule rule, std::string_view pointer, std::string_view arg1,
             std::string_view arg2 = {},
             catalogue::Severity severityCap = catalogue::Severity::kError);

  void converted(const Path& path, std::string_view arg1, std::string_view arg2) {
    add(catalogue::Rule::kImportConverted, path, arg1, arg2);
  }
  void leftOut(const Path& path, std::string_view arg1, std::string_view why) {
    add(catalogue::Rule::kImportLeftOut, path, arg1, why);
  }
  /// A field that nothing hangs on.
  void leftOutField(const Path& path, std::string_view name);
  /// A field that is null, which means that it is not there.
  void leftOutNull(const Path& path);

  /// Adds all notes of another.
  void append(const Notes& others);

  /// All notes, in the order of their first places.
  catalogue::Findings take();

 private:
  struct Note {
    catalogue::Finding finding;
    size_t times = 1;
  };
  bool count(catalogue::Rule rule, std::string_view arg1, std::string_view arg2, size_t times);

  std::vector<Note> notes_;
};

}  // namespace strata::dialects
