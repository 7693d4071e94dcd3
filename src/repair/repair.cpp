#include "repair/repair.h"

#include <algorithm>
#include <iterator>

#include "repair/fixes.h"
#include "repair/origins.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

struct Row {
  Rule rule;
  Fix mend;
  bool ofStep = false;  // It mends all findings about one step at once.
};

// The order: fields, then Contents that hold nothing, then steps, then signatures that are missing,
// since only a whole step can tell which call is its first.
constexpr Row kRows[] = {
    {Rule::kJsonDuplicateKey, dropSecondSpelling},
    {Rule::kRoleInvalid, nameRole},
    {Rule::kSignatureInsideCall, moveSignatureOut},
    {Rule::kSignatureNotBase64, dropSignature},
    {Rule::kSignatureForeign, dropSignature},
    {Rule::kFieldUnknown, dropField},
    {Rule::kResponseNotObject, wrapResponse},
    {Rule::kPartNoData, dropPart},
    {Rule::kTextEmpty, dropPart},
    {Rule::kPartsEmpty, dropContent},
    {Rule::kCallOrder, joinModelContents},
    {Rule::kResponseInterleaved, putResultsApart},
    {Rule::kResponseSplit, gatherResults, true},
    {Rule::kResponseOrphan, gatherResults, true},
    {Rule::kCallOpen, answerOpenCalls},
    {Rule::kResponseCount, addLostResults},
    {Rule::kResponseIdMismatch, alignId},
    {Rule::kResponseNameMismatch, alignName},
    {Rule::kResponseOrder, sortResults},
    {Rule::kResponseTrailingContent, putResultsLast},
    {Rule::kSignatureMissing, signWithPlaceholder},
    {Rule::kCacheForbiddenFields, dropField},
};

// A mend may bring to light what another step mends; more passes than these are never needed.
constexpr int kMostPasses = 8;

class Repair {
 public:
  Repair(std::string_view body, const lint::LintContext& context, const RepairOptions& options)
      : context_(context), options_(options), source_(json::Tape::read(body)), body_(body) {
    if (source_) origins_.read(source_.value().root(), context.start.turns);
  }

  Repaired run() {
    lint();
    const bool wrong = std::any_of(found_.begin(), found_.end(), [this](const Finding& finding) {
      return context_.target.severity(finding) == Severity::kError;
    });
    for (int pass = 0; source_ && wrong && pass < kMostPasses; ++pass) {
      if (!runPass()) break;
    }
    std::move(found_.begin(), found_.end(), std::back_inserter(mends_));
    return {std::move(body_), std::move(mends_)};
  }

 private:
  void lint() {
    tape_ = json::Tape::read(body_.text());
    found_ = tape_ ? lint::lintRequest(tape_.value().root(), body_.text().size(), context_)
                   : Findings{catalogue::findingOf(tape_.error(), *context_.target.catalogue)};
  }

  bool runPass() {
    bool changed = false;
    for (const Row& row : kRows) changed = runRow(row) || changed;
    return changed;
  }

  // Mends that meet each other wait for the next round.
  bool runRow(const Row& row) {
    bool changed = false;
    size_t left = SIZE_MAX;
    while (tape_) {
      const Findings asked = askedOf(row.rule);
      if (asked.empty() || asked.size() >= left || !runRound(row, asked)) break;
      left = asked.size();
      changed = true;
    }
    return changed;
  }

  bool runRound(const Row& row, const Findings& asked) {
    const Draft draft(tape_.value().root(), context_);
    Edits edits;
    int32_t done = -1;
    for (const Finding& finding : asked) {
      const int32_t step = row.ofStep ? draft.stepOf(finding) : -1;
      if (step >= 0 && step == done) continue;
      done = step;
      if (!edits.add(row.mend(draft, finding))) continue;
      Finding& repaired = mends_.emplace_back(finding);
      repaired.repaired = true;
      origins_.locate(repaired, draft, body_);
    }
    if (edits.empty()) return false;
    body_.apply(edits);
    lint();
    return true;
  }

  Findings askedOf(Rule rule) const {
    // A placeholder helps under both readings of "current turn".
    const bool placeholder = rule == Rule::kSignatureMissing;
    const Severity least = placeholder ? Severity::kWarning : Severity::kError;
    Findings asked;
    if (placeholder && !options_.dummySignatures) return asked;
    for (const Finding& finding : found_) {
      const bool grave = context_.target.severity(finding) >= least;
      if (finding.rule == rule && grave) asked.push_back(finding);
    }
    return asked;
  }

  const lint::LintContext& context_;
  const RepairOptions& options_;
  const Result<json::Tape> source_;
  Origins origins_;
  Revision body_;
  Result<json::Tape> tape_ = Error{};
  Findings found_;
  Findings mends_;
};

}  // namespace

Repaired repairRequest(std::string_view body, const lint::LintContext& context,
                       const RepairOptions& options) {
  return Repair(body, context, options).run();
}

bool hasFix(Rule rule) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [rule](const Row& row) { return row.rule == rule; });
}

}  // namespace strata::repair
