#include "schemas/rewrite.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text_index.h"
#include "json/tape.h"
#include "schemas/google_form.h"
#include "schemas/json_form.h"

namespace strata::schemas {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Severity;
using catalogue::Target;
using json::Document;

Findings judged(Subject subject, const Target& target) {
  Findings findings = Findings::unbounded();
  subject.everyKeyword = true;
  judge(subject, target, findings);
  return findings;
}

ptrdiff_t errorsIn(const Findings& findings, const Target& target) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return target.severity(finding) == Severity::kError;
  });
}

std::string keyOf(const Finding& finding, std::string Finding::*member) {
  std::string key = finding.*member;
  key.push_back(static_cast<char>(finding.rule));
  return key;
}

// Marks the pairs of findings of the same rule whose `member` is the same.
void match(const Findings& left, const Findings& before, std::string Finding::*member,
           std::string& leftMatched, std::string& matched) {
  TextIndex unmatched;
  for (size_t i = 0; i < left.size(); ++i) {
    if (!leftMatched[i]) unmatched.add(keyOf(left[i], member), static_cast<int32_t>(i));
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (matched[i]) continue;
    const std::string key = keyOf(before[i], member);
    const int32_t found = unmatched.find(key);
    if (found < 0) continue;
    unmatched.remove(key, found);
    leftMatched[static_cast<size_t>(found)] = 1;
    matched[i] = 1;
  }
}

// Appends the findings of `before` that `left` does not have to `missing`. A rewriting may move a
// finding to another path; then the argument is still the same. Returns how many errors stay.
ptrdiff_t addMissing(const Findings& left, const Findings& before, const Target& target,
                     Findings& missing) {
  // One byte for each finding.
  std::string leftMatched(left.size(), 0);
  std::string matched(before.size(), 0);
  match(left, before, &Finding::path, leftMatched, matched);
  match(left, before, &Finding::arg1, leftMatched, matched);
  ptrdiff_t errors = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const Severity severity = target.severity(before[i]);
    if (matched[i]) {
      errors += severity == Severity::kError ? 1 : 0;
    } else if (severity != Severity::kOff) {
      missing.push_back(before[i]);
      missing.back().repaired = true;
    }
  }
  return errors;
}

Rewriting rewriting(const Document& document, Form form, const Subject& subject,
                    const Findings& before, const Target& target) {
  Rewriting result;
  result.schema = json::toText(document);
  result.form = form;
  const Result<json::Tape> tape = json::Tape::read(result.schema);
  Subject rewritten = subject;
  rewritten.form = form;
  // A text that the Tape does not read is the JSON of a document, so only its depth can be at
  // fault; an absent schema then has the finding of one that is no object.
  rewritten.schema = tape ? tape.value().root() : json::Value();
  result.left = judged(rewritten, target);
  // An error that is only a warning in the other form is not repaired.
  const ptrdiff_t stay = addMissing(result.left, before, target, result.repaired);
  result.errors = std::max(stay, errorsIn(result.left, target));
  return result;
}

// Names are looked up one by one, so the time of larger schemas would be too long. No service
// accepts them.
constexpr uint32_t kMostNodes = 20'000;

// Returns the best rewriting of a schema, or nothing if none has fewer errors.
std::optional<Rewriting> improved(const Subject& subject, const Target& target, bool mayMove) {
  if (subject.schema.nodes() > kMostNodes) return std::nullopt;
  const Findings before = judged(subject, target);
  const ptrdiff_t errors = errorsIn(before, target);
  if (errors == 0) return std::nullopt;
  Document document = json::toDocument(subject.schema);
  rewriteJsonSchema(document, subject.form);
  Rewriting best;
  best.errors = errors;
  if (subject.form == Form::kGoogle) {
    Document google = document;
    rewriteGoogleForm(google, subject.use, target.backend);
    Rewriting same = rewriting(google, Form::kGoogle, subject, before, target);
    if (same.errors < best.errors) best = std::move(same);
  }
  if (best.errors > 0 && (mayMove || subject.form == Form::kJsonSchema)) {
    if (subject.form == Form::kGoogle) readEnumNumbers(document);
    Rewriting moved = rewriting(document, Form::kJsonSchema, subject, before, target);
    if (moved.errors < best.errors) best = std::move(moved);
  }
  if (best.errors == errors) return std::nullopt;
  return best;
}

}  // namespace

std::optional<Rewriting> repairSchema(const Subject& subject, const Target& target, bool mayMove) {
  std::optional<Rewriting> best = improved(subject, target, mayMove);
  // What a rewriting leaves out may have kept another one from being better.
  while (best && best->errors > 0) {
    const Result<json::Tape> tape = json::Tape::read(best->schema);
    if (!tape) break;
    Subject rewritten = subject;
    rewritten.schema = tape.value().root();
    rewritten.form = best->form;
    std::optional<Rewriting> better = improved(rewritten, target, mayMove);
    if (!better) break;
    better->repaired.clear();
    const ptrdiff_t stay =
        addMissing(better->left, judged(subject, target), target, better->repaired);
    better->errors = std::max(stay, errorsIn(better->left, target));
    best = std::move(better);
  }
  return best;
}

Rewriting toJsonSchema(const Subject& subject, const Target& target) {
  if (subject.schema.nodes() > kMostNodes) {
    Rewriting same;
    same.schema = subject.schema.bytes();
    same.form = subject.form;
    same.left = judged(subject, target);
    same.errors = errorsIn(same.left, target);
    return same;
  }
  Document document = json::toDocument(subject.schema);
  rewriteJsonSchema(document, subject.form);
  return rewriting(document, Form::kJsonSchema, subject, judged(subject, target), target);
}

}  // namespace strata::schemas
