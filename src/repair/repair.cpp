#include "repair/repair.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "json/pointer.h"
#include "json/string.h"
#include "repair/fix_schemas.h"
#include "repair/fixes.h"
#include "repair/interaction_fixes.h"
#include "repair/origins.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

struct Row {
  Rule rule;
  Fix fix;
  bool perStep = false;  // One call fixes all findings about a step.
};

// In the order of application: fields, empty Parts and Contents, steps, then missing signatures,
// because the first call of a step is known only once the step is complete.
constexpr Row kRows[] = {
    {Rule::kJsonDuplicateKey, dropSecondSpelling},
    {Rule::kRoleInvalid, setRole},
    {Rule::kSignatureInsideCall, moveSignatureToPart},
    {Rule::kSignatureNotBase64, dropSignature},
    {Rule::kSignatureForeign, dropSignature},
    {Rule::kFieldUnknown, dropField},
    {Rule::kFieldInvalid, readEmptyObject},
    {Rule::kResponseNotObject, wrapResponse},
    {Rule::kPartNoData, dropPart},
    {Rule::kTextEmpty, dropPart},
    {Rule::kPartsEmpty, dropContent},
    {Rule::kCallSplit, mergeModelContents},
    {Rule::kCallOrder, mergeModelContents},
    {Rule::kResponseInterleaved, separateResponses},
    {Rule::kResponseSplit, gatherResponses, true},
    {Rule::kResponseOrphan, gatherResponses, true},
    {Rule::kCallOpen, answerOpenCalls},
    {Rule::kResponseCount, matchResponseCount},
    {Rule::kResponseIdMismatch, alignId},
    {Rule::kResponseNameMismatch, alignName},
    {Rule::kResponseOrder, sortResponses},
    {Rule::kResponsePartsUnsupported, moveMediaOut, true},
    {Rule::kResponseTrailingContent, separateContent},
    {Rule::kSignatureMissing, addPlaceholderSignature},
};

// Around the Contents of a request, after them.
constexpr Row kRequestRows[] = {
    {Rule::kCacheForbiddenFields, dropField},
    {Rule::kToolsEmpty, dropEmptyTool},
    {Rule::kToolsSearchRetrieval, useGoogleSearch},
    {Rule::kToolsFlagUnsupported, dropField},
    {Rule::kToolsMixedWithoutFlag, allowServerTools},
    {Rule::kToolsDuplicateDeclaration, dropSameDeclaration},
    {Rule::kToolsConfigWithoutDeclarations, dropIdleCallingConfig},
};

// In a body of the Interactions API: fields and texts, then results, then the order of steps, then
// signatures.
constexpr Row kStepRows[] = {
    {Rule::kInputTurnList, makeSteps},
    {Rule::kInputContentList, wrapContent},
    {Rule::kInteractionInstructionNotString, makeInstructionText},
    {Rule::kInteractionEnumCase, writeLowerCase},
    {Rule::kFieldInvalid, readEmptyObject},
    {Rule::kStepDataUrl, removeDataPrefix},
    {Rule::kStepTextEmpty, dropEmptyText},
    {Rule::kStepResultInvalid, wrapResult},
    {Rule::kStepInterleaved, moveResultsBehindCalls},
    {Rule::kStepResultRepeated, dropSameResult},
    {Rule::kStepResultCallId, setCallId},
    {Rule::kStepResultName, setResultName},
    {Rule::kThoughtNotFirst, moveThoughtFirst},
    {Rule::kThoughtUnsigned, signThought},
    {Rule::kThoughtMissing, insertThought},
};

// A fix can expose a finding that an earlier row repairs, so all rows run again until nothing
// changes. This bound is never reached in practice.
constexpr int kMaxPasses = 8;

// The rules whose warnings are repaired too.
bool repairsWarnings(Rule rule) {
  return rule == Rule::kCallSplit || rule == Rule::kTextLoneSurrogate ||
         rule == Rule::kJsonLenient || rule == Rule::kInteractionEnumCase;
}

// Repairs Contents. The virtual functions are empty here, so that a module that repairs only turns
// does not link what repairs the rest of a request.
class Repair {
 public:
  Repair(std::string_view body, const lint::LintContext& context, const RepairOptions& options)
      : context_(context), original_(body), body_(body), options_(options) {}

  RepairResult run() {
    start();
    if (tape_) readWire(tape_.value().root());
    if (tape_) origins_.read(requestIn(tape_), context_.start.turns, body_);
    judge();
    if (tape_ && repair::isWrong(found_, context_.target)) {
      Findings before = found_;
      repair();
      if (isExceeded()) return {Revision(original_), std::move(before), 0, true, context_.target};
      if (repairs_.size() == departures_) {
        start();
        found_ = std::move(before);
      }
    }
    // What is in the brackets needs them.
    for (size_t fix = 1; brackets_ != 0 && fix <= fixes_; ++fix) body_.join(brackets_, fix);
    repairs_.append(found_);
    return {std::move(body_), std::move(repairs_), fixes_, false, context_.target};
  }

 protected:
  virtual void readLenient() {}
  virtual void readWire(json::Value) {}
  virtual void judgeText() {}
  virtual Findings judgeValue(json::Value body, size_t bytes, Findings kept) const {
    return lint::lintGenerateContent(body, bytes, context_, std::move(kept));
  }
  virtual void repairSchemas() {}
  virtual bool runPass() { return runRows(kRows); }
  // Sets the place of a repair in the original body.
  virtual void locate(Finding& repaired, const Snapshot& snapshot) {
    origins_.locate(repaired, snapshot, body_);
  }

  bool runRows(std::span<const Row> rows) {
    bool changed = false;
    for (const Row& row : rows) changed = runRow(row) || changed;
    return changed && !isExceeded();
  }

  json::Value requestIn(const Result<json::Tape>& tape) const {
    const json::Value root = tape.value().root();
    return context_.isTail ? root : lint::requestOf(root);
  }

  void lint() {
    tape_ = json::Tape::read(body_.text());
    judge();
  }

  // Lists a repair. Those that the list only counts belong to the last one that it has of the rule.
  void addRepair(Finding finding, size_t fix) {
    finding.repaired = true;
    finding.fix = fix;
    size_t& listed = listed_[static_cast<size_t>(finding.rule)];
    if (repairs_.isFull(finding)) {
      body_.join(listed, fix);
    } else {
      listed = fix;
    }
    repairs_.push_back(std::move(finding));
  }

  lint::LintContext context_;
  const std::string_view original_;
  Revision body_;
  Result<json::Tape> tape_ = Error{};
  Findings found_;
  Findings repairs_;
  size_t departures_ = 0;  // of `repairs_`, which has them first
  size_t fixes_ = 0;       // How many fixes were applied. The number of the next is one more.

 private:
  void repair() {
    repairTexts();
    repairSchemas();
    bracketSingles();
    for (int pass = 0; pass < kMaxPasses && runPass(); ++pass) {
    }
  }

  bool isExceeded() const { return read_ > options_.maxValues; }

  void start() {
    body_ = Revision(original_);
    repairs_ = {};
    fixes_ = brackets_ = 0;
    tape_ = json::Tape::read(original_);
    if (!tape_) readLenient();
  }

  // Makes lists of single objects, since the edits of fixes are those of list elements: first of
  // `parts`, then of `contents`.
  void bracketSingles() {
    Edits edits;
    const Snapshot snapshot(tape_.value().root(), context_);
    const auto bracket = [&](json::Value list) {
      if (!list.isObject()) return;
      if (brackets_ == 0) brackets_ = ++fixes_;
      edits.add(changesOf(wrapping(list, "[", "]")), brackets_);
    };
    for (const gemini::ContentView& view : snapshot.views) bracket(view.parts);
    const bool again = !edits.empty() && snapshot.contents.isObject();
    if (edits.empty()) bracket(snapshot.contents);
    if (edits.empty()) return;
    body_.apply(edits);
    lint();
    if (again) bracketSingles();
  }

  void judge() {
    if (tape_) {
      found_ = lintFor({});
    } else {
      judgeText();
    }
  }

  Findings lintFor(Findings kept) {
    read_ += tape_.value().root().nodes();
    if (isExceeded()) return {};
    return judgeValue(tape_.value().root(), body_.text().size(), std::move(kept));
  }

  // Replaces the lone surrogates of all strings at once.
  void repairTexts() {
    const size_t before = repairs_.size();
    Findings others;
    for (Finding& finding : found_) {
      if (finding.rule == Rule::kTextLoneSurrogate && isReason(finding, context_.target)) {
        addRepair(std::move(finding), ++fixes_);
      } else {
        others.push_back(std::move(finding));
      }
    }
    found_ = std::move(others);
    if (repairs_.size() == before) return;
    const std::vector<json::Value> places = placesOf(before);
    // The fix of a finding about a text, or about a value with this text as its key.
    const auto fixOf = [&](json::Value text) {
      const auto isAt = [&](json::Value place) { return place == text || place == text.first(); };
      const auto place = std::find_if(places.begin(), places.end(), isAt);
      const auto index = static_cast<size_t>(place - places.begin());
      return repairs_[std::min(before + index, repairs_.size() - 1)].fix;
    };
    Edits edits;
    const json::Value request = requestIn(tape_);
    const json::Value end = request.next();
    for (json::Value each = request; each != end; each = each.first()) {
      if (!each.hasEscapes() || !json::hasLoneSurrogate(each.raw())) continue;
      const std::string text = json::replaceLoneSurrogates(each.raw());
      edits.add(changesOf(replacement(each, newText("\"" + text + "\""))), fixOf(each));
    }
    body_.apply(edits);
    lint();
  }

  // Returns the values that repairs are about, from index `first` on.
  std::vector<json::Value> placesOf(size_t first) const {
    std::vector<std::string> paths;
    for (size_t i = first; i < repairs_.size(); ++i)
      paths.push_back(catalogue::pathOf(repairs_[i], -context_.start.turns));
    return json::findNearest(tape_.value().root(), paths);
  }

  // Applies one row. Fixes whose edits touch wait for the next round, which must have fewer
  // findings.
  bool runRow(const Row& row) {
    bool changed = false;
    size_t remaining = SIZE_MAX;
    while (tape_) {
      const Findings fixable = fixableFindings(row.rule);
      if (fixable.empty() || fixable.size() >= remaining || !runRound(row, fixable)) break;
      remaining = fixable.size();
      changed = true;
    }
    return changed;
  }

  bool runRound(const Row& row, const Findings& fixable) {
    Snapshot snapshot(tape_.value().root(), context_);
    snapshot.placeholders = options_.dummySignatures;
    Edits edits;
    int32_t lastStep = -1;
    for (const Finding& finding : fixable) {
      const int32_t step = row.perStep ? snapshot.stepOf(finding) : -1;
      if (step >= 0 && step == lastStep) continue;
      lastStep = step;
      if (!edits.add(row.fix(snapshot, finding), fixes_ + 1)) continue;
      Finding repaired = finding;
      repaired.repaired = true;
      if (!repairs_.isFull(repaired)) locate(repaired, snapshot);
      addRepair(std::move(repaired), ++fixes_);
    }
    if (edits.empty()) return false;
    body_.apply(edits);
    lint();
    return true;
  }

  // A placeholder is right under both readings of "current turn"; an answer that is in one Content,
  // and results in a Content of their own, are right for every model: there, less than an error is
  // enough.
  static Severity lowestFixed(Rule rule) {
    if (rule == Rule::kCallSplit) return Severity::kInfo;
    const bool safe = rule == Rule::kSignatureMissing || rule == Rule::kCallOrder ||
                      rule == Rule::kResponseTrailingContent || rule == Rule::kInteractionEnumCase;
    return safe ? Severity::kWarning : Severity::kError;
  }

  bool isFixable(const Finding& finding, Rule rule) const {
    // Calls that are open before the first Content are not in the body. A finding about a field of
    // the request has no Content.
    const bool inBody = finding.content < 0 || finding.content >= context_.start.turns;
    return finding.rule == rule && inBody && context_.target.severity(finding) >= lowestFixed(rule);
  }

  // Returns all findings that a row repairs. Those that `found_` only counts need another lint.
  Findings fixableFindings(Rule rule) {
    Findings fixable = Findings::unbounded(rule);
    if (rule == Rule::kSignatureMissing && !options_.dummySignatures) return fixable;
    bool areAll = true;
    for (const Finding& finding : found_) {
      if (!isFixable(finding, rule)) continue;
      areAll = areAll && finding.more == 0;
      fixable.push_back(finding);
    }
    if (areAll) return fixable;
    fixable = lintFor(Findings::unbounded(rule));
    fixable.filter([&](const Finding& finding) { return isFixable(finding, rule); });
    return fixable;
  }

  const RepairOptions& options_;
  Origins origins_;
  size_t brackets_ = 0;  // The number of the fix that puts single objects into brackets.
  std::array<size_t, 256> listed_ = {};  // By rule, the last fix in `repairs_`.
  uint64_t read_ = 0;                    // How many values were linted.
};

// Repairs all of a request.
class RequestRepair final : public Repair {
 public:
  using Repair::Repair;

 private:
  // Makes JSON of a body that only Google's parser takes.
  void readLenient() override {
    const std::optional<json::LenientText> text = json::readLenient(original_);
    if (!text || !text->status) return;
    repairs_ = lint::departureFindings(original_, *text);
    departures_ = repairs_.size();
    Changes changes;
    for (size_t i = 0; i < text->departures.size(); ++i) {
      const json::Departure& departure = text->departures[i];
      Edit& edit = changes.emplace_back(Edit{departure.begin, departure.end});
      if (!departure.strict.empty()) edit.pieces.push_back(newText(departure.strict));
      // Those that are not listed are repaired with the last one that is.
      edit.fix = std::min(i + 1, departures_);
    }
    for (size_t i = 0; i < departures_; ++i) {
      repairs_[i].repaired = true;
      repairs_[i].fix = ++fixes_;
    }
    Edits edits;
    edits.add(std::move(changes));
    body_.apply(edits);
    tape_ = json::Tape::read(body_.text());
  }

  // An Interactions body is judged for its own model.
  void readWire(json::Value root) override {
    hasSteps_ = lint::wireOf(root, context_) == interactions::Wire::kInteractions;
    context_ = lint::contextOf(root, context_);
  }

  Findings judgeValue(json::Value body, size_t bytes, Findings kept) const override {
    return lint::lintRequest(body, bytes, context_, std::move(kept));
  }

  void locate(Finding& repaired, const Snapshot& snapshot) override {
    Repair::locate(repaired, snapshot);
    if (!hasSteps_) return;
    if (!originalTape_) originalTape_ = json::Tape::read(original_);
    if (!*originalTape_) return;
    const json::Value original = originalTape_->value().root();
    repaired.path = originalPath(tape_.value().root(), repaired.path, body_, original);
  }

  void judgeText() override { found_ = lint::lintRequest(body_.text(), context_); }

  // Rewrites whole schemas, so that all findings about a schema are repaired at once.
  void repairSchemas() override {
    if (hasSteps_) return;
    Edits edits;
    std::vector<SchemaFix> fixes;
    rewriteSchemas(requestIn(tape_), context_, fixes);
    for (SchemaFix& each : fixes) {
      const size_t fix = ++fixes_;
      if (!edits.add(std::move(each.changes), fix)) continue;
      for (Finding& repaired : each.repaired) {
        // All findings about a body have the same root.
        if (!found_.empty()) repaired.root = found_.front().root;
        addRepair(std::move(repaired), fix);
      }
    }
    if (edits.empty()) return;
    body_.apply(edits);
    lint();
  }

  bool runPass() override {
    if (hasSteps_) return runRows(kStepRows);
    const bool changed = runRows(kRows);
    return runRows(kRequestRows) || changed;
  }

  bool hasSteps_ = false;                           // The body is one of the Interactions API.
  std::optional<Result<json::Tape>> originalTape_;  // Read when the first place in it is needed.
};

}  // namespace

RepairResult repairRequest(std::string_view body, const lint::LintContext& context,
                           const RepairOptions& options) {
  return RequestRepair(body, context, options).run();
}

RepairResult repairTurns(std::string_view body, const lint::LintContext& context,
                         const RepairOptions& options) {
  return Repair(body, context, options).run();
}

bool isReason(const Finding& finding, const catalogue::Target& target) {
  const Severity severity = target.severity(finding);
  return severity == Severity::kError ||
         (severity == Severity::kWarning && repairsWarnings(finding.rule));
}

bool isWrong(const Findings& findings, const catalogue::Target& target) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return isReason(finding, target); });
}

bool hasFix(Rule rule) {
  const auto isRow = [rule](const Row& row) { return row.rule == rule; };
  return isSchemaRule(rule) || rule == Rule::kJsonLenient || rule == Rule::kTextLoneSurrogate ||
         std::any_of(std::begin(kRows), std::end(kRows), isRow) ||
         std::any_of(std::begin(kRequestRows), std::end(kRequestRows), isRow) ||
         std::any_of(std::begin(kStepRows), std::end(kStepRows), isRow);
}

}  // namespace strata::repair
