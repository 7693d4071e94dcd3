#include "dialects/import_notes.h"

namespace strata::dialects {
namespace {

// Returns a text that two findings have in common only if their rules and arguments are equal.
std::string keyOf(const catalogue::Finding& finding) {
  std::string key = std::to_string(static_cast<int>(finding.rule)) + ' ';
  key += std::to_string(finding.arg1.size()) + ' ';
  key += finding.arg1;
  return key += finding.arg2;
}

}  // namespace

void ImportNotes::add(catalogue::Rule rule, const Path& path, std::string_view arg1,
                      std::string_view arg2, catalogue::Severity severityCap) {
  addAt(rule, path.text(), arg1, arg2, severityCap);
}

void ImportNotes::addAt(catalogue::Rule rule, std::string_view pointer, std::string_view arg1,
                        std::string_view arg2, catalogue::Severity severityCap) {
  Note note;
  catalogue::Finding& finding = note.finding;
  finding.rule = rule;
  finding.path = pointer;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
  finding.severityCap = severityCap;
  addNote(std::move(note));
}

void ImportNotes::addNote(Note note) {
  std::string key = keyOf(note.finding);
  const int32_t same = index_.find(key);
  if (same >= 0) {
    notes_[static_cast<size_t>(same)].times += note.times;
    return;
  }
  index_.add(std::move(key), static_cast<int32_t>(notes_.size()));
  notes_.push_back(std::move(note));
}

void ImportNotes::append(const ImportNotes& other) {
  for (const Note& note : other.notes_) addNote(note);
}

void ImportNotes::addOmittedField(const Path& path, std::string_view name) {
  add(catalogue::Rule::kImportLeftOut, path, "The field " + std::string(name),
      "Contents have no field for it", catalogue::Severity::kInfo);
}

void ImportNotes::addOmittedNull(const Path& path) {
  add(catalogue::Rule::kImportLeftOut, path, "A field", "null means absent",
      catalogue::Severity::kInfo);
}

catalogue::Findings ImportNotes::take() {
  catalogue::Findings findings;
  for (Note& note : notes_) {
    catalogue::Finding& finding = findings.emplace_back(std::move(note.finding));
    if (note.times == 1) continue;
    std::string& last = finding.arg2.empty() ? finding.arg1 : finding.arg2;
    last += " (" + std::to_string(note.times) + " times)";
  }
  notes_.clear();
  index_.clear();
  return findings;
}

}  // namespace strata::dialects
