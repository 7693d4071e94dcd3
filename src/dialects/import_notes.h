// Collects what an importer changes or leaves out, and reports equal notes once with a count.
#pragma once

#include <string>
#include <vector>

#include "base/text_index.h"
#include "catalogue/finding.h"
#include "dialects/path.h"

namespace strata::dialects {

/// Findings about an import. Their paths point into the imported history. Complexity: each `add` is
/// O(log n) in the number of distinct notes.
class ImportNotes {
 public:
  /// Adds a note, or only counts it if one with the same rule and arguments exists.
  void add(catalogue::Rule rule, const Path& path, std::string_view arg1,
           std::string_view arg2 = {},
           catalogue::Severity severityCap = catalogue::Severity::kError);

  /// Like `add`, with a JSON Pointer.
  void addAt(catalogue::Rule rule, std::string_view pointer, std::string_view arg1,
             std::string_view arg2 = {},
             catalogue::Severity severityCap = catalogue::Severity::kError);

  void addConverted(const Path& path, std::string_view arg1, std::string_view arg2) {
    add(catalogue::Rule::kImportConverted, path, arg1, arg2);
  }
  void addOmitted(const Path& path, std::string_view arg1, std::string_view why) {
    add(catalogue::Rule::kImportLeftOut, path, arg1, why);
  }
  /// Notes that an unimportant field was left out.
  void addOmittedField(const Path& path, std::string_view name);
  /// Notes that a field with the value null was left out.
  void addOmittedNull(const Path& path);

  /// Adds all notes of `other` with their counts.
  void append(const ImportNotes& other);

  /// Returns all notes in the order in which they were first added, and clears them.
  catalogue::Findings take();

 private:
  // Counts an equal note `times` more often, or adds this one if there is none.
  void addNote(catalogue::Finding finding, size_t times);

  catalogue::Findings notes_;
  std::vector<size_t> times_;  // How often each note was added.
  TextIndex index_;            // The places of the notes.
};

}  // namespace strata::dialects
