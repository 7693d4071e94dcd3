#include "schemas/rewrite.h"

#include <algorithm>
#include <nlohmann/json.hpp>

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

Findings judged(const Subject& subject, const Target& target) {
  Findings findings;
  judge(subject, target, findings);
  return findings;
}

ptrdiff_t errorsIn(const Findings& findings, const Target& target) {
  return std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return target.severity(finding) == Severity::kError;
  });
}

// Returns the findings of `before` that `after` does not have. A rewriting may move a finding to
// another path; then the argument is still the same.
Findings missingIn(const Findings& after, const Findings& before, const Target& target) {
  Findings remaining = after;
  Findings missing;
  for (const Finding& finding : before) {
    const auto same = [&](bool exact) {
      return std::find_if(remaining.begin(), remaining.end(), [&](const Finding& other) {
        return other.rule == finding.rule &&
               (exact ? other.path == finding.path : other.arg1 == finding.arg1);
      });
    };
    auto match = same(true);
    if (match == remaining.end()) match = same(false);
    if (match != remaining.end()) {
      remaining.erase(match);
      continue;
    }
    if (target.severity(finding) == Severity::kOff) continue;
    missing.push_back(finding);
    missing.back().repaired = true;
  }
  return missing;
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
  if (tape) rewritten.schema = tape.value().root();
  result.left = judged(rewritten, target);
  result.repaired = missingIn(result.left, before, target);
  return result;
}

Rewriting inJsonSchema(const Subject& subject, const Findings& before, const Target& target) {
  Document document = json::toDocument(subject.schema);
  rewriteJsonSchema(document, subject.form);
  return rewriting(document, Form::kJsonSchema, subject, before, target);
}

}  // namespace

std::optional<Rewriting> repairSchema(const Subject& subject, const Target& target, bool mayMove) {
  const Findings before = judged(subject, target);
  const ptrdiff_t errors = errorsIn(before, target);
  if (errors == 0) return std::nullopt;
  std::optional<Rewriting> best;
  if (subject.form == Form::kGoogle) {
    Document document = json::toDocument(subject.schema);
    rewriteGoogleForm(document, subject.use, target.backend);
    best = rewriting(document, Form::kGoogle, subject, before, target);
    if (errorsIn(best->left, target) == 0) return best;
  }
  if (mayMove || subject.form == Form::kJsonSchema) {
    Rewriting moved = inJsonSchema(subject, before, target);
    // Another field alone does not repair what both forms have.
    if (moved.repaired.empty()) return std::nullopt;
    if (errorsIn(moved.left, target) == 0) return moved;
    if (!best) best = std::move(moved);
  }
  if (!best || errorsIn(best->left, target) >= errors) return std::nullopt;
  return best;
}

Rewriting toJsonSchema(const Subject& subject, const Target& target) {
  return inJsonSchema(subject, judged(subject, target), target);
}

}  // namespace strata::schemas
