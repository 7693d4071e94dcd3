#include "history/import/notes.h"

namespace strata::history {

void Notes::add(rules::Rule rule, const Path& path, std::string_view subject,
                std::string_view other, rules::Severity atMost) {
  addAt(rule, path.text(), subject, other, atMost);
}

void Notes::addAt(rules::Rule rule, std::string_view pointer, std::string_view subject,
                  std::string_view other, rules::Severity atMost) {
  if (count(rule, subject, other, 1)) return;
  rules::Finding& finding = notes_.emplace_back().finding;
  finding.rule = rule;
  finding.path = pointer;
  finding.subject = subject;
  finding.other = other;
  finding.atMost = atMost;
}

bool Notes::count(rules::Rule rule, std::string_view subject, std::string_view other,
                  size_t times) {
  for (Note& note : notes_) {
    const rules::Finding& told = note.finding;
    if (told.rule != rule || told.subject != subject || told.other != other) continue;
    note.times += times;
    return true;
  }
  return false;
}

void Notes::append(const Notes& others) {
  for (const Note& note : others.notes_) {
    const rules::Finding& told = note.finding;
    if (!count(told.rule, told.subject, told.other, note.times)) notes_.push_back(note);
  }
}

void Notes::leftOutField(const Path& path, std::string_view name) {
  add(rules::Rule::kImportLeftOut, path, "The field " + std::string(name),
      "Contents have no place for it", rules::Severity::kInfo);
}

void Notes::leftOutNull(const Path& path) {
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
