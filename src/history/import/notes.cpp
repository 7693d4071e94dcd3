#include "history/import/notes.h"

namespace strata::history {

void Notes::add(rules::Rule rule, const std::string& path, std::string subject, std::string other,
                rules::Severity atMost) {
  for (Note& note : notes_) {
    const rules::Finding& told = note.finding;
    if (told.rule != rule || told.subject != subject || told.other != other) continue;
    ++note.times;
    return;
  }
  rules::Finding& finding = notes_.emplace_back().finding;
  finding.rule = rule;
  finding.path = path;
  finding.subject = std::move(subject);
  finding.other = std::move(other);
  finding.atMost = atMost;
}

void Notes::leftOutField(const std::string& path, std::string_view name) {
  add(rules::Rule::kImportLeftOut, path, "The field " + std::string(name),
      "Contents have no place for it", rules::Severity::kInfo);
}

void Notes::leftOutNull(const std::string& path) {
  add(rules::Rule::kImportLeftOut, path, "A field", "null means that it is not there",
      rules::Severity::kInfo);
}

rules::Findings Notes::take() {
  rules::Findings findings;
  for (Note& note : notes_) {
    rules::Finding& finding = findings.emplace_back(std::move(note.finding));
    if (note.times == 1) continue;
    std::string& last = finding.other.empty() ? finding.subject : finding.other;
    last += " (" + std::to_string(note.times) + " times)";
  }
  notes_.clear();
  return findings;
}

}  // namespace strata::history
