#include "dialects/import_notes.h"

namespace strata::dialects {

void ImportNotes::add(catalogue::Rule rule, const Path& path, std::string_view arg1,
                      std::string_view arg2, catalogue::Severity severityCap) {
  addAt(rule, path.text(), arg1, arg2, severityCap);
}

void ImportNotes::addAt(catalogue::Rule rule, std::string_view pointer, std::string_view arg1,
                        std::string_view arg2, catalogue::Severity severityCap) {
  if (increment(rule, arg1, arg2, 1)) return;
  catalogue::Finding& finding = notes_.emplace_back().finding;
  finding.rule = rule;
  finding.path = pointer;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
  finding.severityCap = severityCap;
}

bool ImportNotes::increment(catalogue::Rule rule, std::string_view arg1, std::string_view arg2,
                            size_t times) {
  for (Note& note : notes_) {
    const catalogue::Finding& existing = note.finding;
    if (existing.rule != rule || existing.arg1 != arg1 || existing.arg2 != arg2) continue;
    note.times += times;
    return true;
  }
  return false;
}

void ImportNotes::append(const ImportNotes& other) {
  for (const Note& note : other.notes_) {
    const catalogue::Finding& existing = note.finding;
    if (!increment(existing.rule, existing.arg1, existing.arg2, note.times)) notes_.push_back(note);
  }
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
  return findings;
}

}  // namespace strata::dialects
