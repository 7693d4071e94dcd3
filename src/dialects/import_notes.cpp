#include "dialects/import_notes.h"

#include <utility>

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
  catalogue::Finding finding{rule};
  finding.path = pointer;
  finding.arg1 = arg1;
  finding.arg2 = arg2;
  finding.severityCap = severityCap;
  addNote(std::move(finding), 1);
}

void ImportNotes::addNote(catalogue::Finding finding, size_t times) {
  std::string key = keyOf(finding);
  const int32_t same = index_.find(key);
  if (same >= 0) {
    times_[static_cast<size_t>(same)] += times;
    notes_[static_cast<size_t>(same)].more += finding.more;
    return;
  }
  notes_.push_back(std::move(finding));
  if (notes_.size() == times_.size()) return;
  index_.add(std::move(key), static_cast<int32_t>(times_.size()));
  times_.push_back(times);
}

void ImportNotes::append(const ImportNotes& other) {
  for (size_t i = 0; i < other.times_.size(); ++i) addNote(other.notes_[i], other.times_[i]);
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
  for (size_t i = 0; i < times_.size(); ++i) {
    if (times_[i] == 1) continue;
    std::string& last = notes_[i].arg2.empty() ? notes_[i].arg1 : notes_[i].arg2;
    last += " (" + std::to_string(times_[i]) + " times)";
  }
  times_.clear();
  index_.clear();
  return std::exchange(notes_, {});
}

}  // namespace strata::dialects
