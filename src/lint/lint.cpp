#include "lint/lint.h"

#include <algorithm>
#include <utility>

#include "lint/content_rules.h"
#include "lint/request_rules.h"
#include "lint/turn_order.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

// The Gemini API accepts a single Content without a role.
void allowMissingRole(Findings& findings, const catalogue::Target& target) {
  for (Finding& finding : findings) {
    const bool missing = finding.rule == Rule::kRoleInvalid && finding.path.empty();
    if (missing && target.backend == gemini::Backend::kGemini)
      finding.severityCap = Severity::kInfo;
  }
}

// Drops findings about turns that are over and caps the others at their current severity.
Findings applyCurrentSeverity(Findings findings, const SequenceState& state,
                              const catalogue::Target& target) {
  Findings current;
  for (Finding& finding : findings) {
    const Severity severity = severityNow(finding, state, target);
    if (severity == Severity::kOff) continue;
    finding.severityCap = std::min(finding.severityCap, severity);
    current.push_back(std::move(finding));
  }
  return current;
}

// Lints Contents one after the other, carrying the sequence state along.
class ContentsLinter {
 public:
  ContentsLinter(const LintContext& context, size_t count) : context_(context), remaining_(count) {}

  void add(json::Value content) {
    gemini::ContentView& view = views_[turns_ % 2];
    const gemini::ContentView& before = views_[(turns_ + 1) % 2];
    view.read(content);
    const bool newest = --remaining_ == 0;
    const Provenance& from =
        context_.isTail && !newest ? unknownProvenance_ : context_.signaturesFrom;
    checkContent(view, state_.turns, context_.target, from, findings_);
    checkSequence(view, turns_ > 0 ? &before : nullptr, state_, findings_);
    state_ = advance(state_, view);
    ++turns_;
  }

  // Checks the end of the request. `cached`: it names a CachedContent, so an empty `contents` means
  // that the cache took the whole history.
  void finish(bool cached) {
    if (turns_ == 1) allowMissingRole(findings_, context_.target);
    checkEnd(state_, findings_);
    if (cached && turns_ == 0) findings_.back().rule = Rule::kCacheEmptyContents;
  }

  Findings takeFindings() {
    return applyCurrentSeverity(std::move(findings_), state_, context_.target);
  }

 private:
  const LintContext& context_;
  const Provenance unknownProvenance_ = {};
  SequenceState state_ = context_.start;
  size_t remaining_;
  size_t turns_ = 0;
  gemini::ContentView views_[2];
  Findings findings_;
};

Findings lintContents(json::Value contents, bool cached, const LintContext& context) {
  ContentsLinter linter(context, contents.size());
  for (const json::Value content : json::elements(contents)) linter.add(content);
  if (!context.isTail) linter.finish(cached);
  return linter.takeFindings();
}

}  // namespace

Findings lintRequest(json::Value request, size_t bytes, const LintContext& context) {
  Findings findings;
  if (!context.isTail) checkRequest(request, bytes, context, findings);
  const json::Value contents = gemini::field(request, "contents");
  if (request.isObject() && (!contents || contents.isNull() || contents.isArray())) {
    const bool cached = gemini::field(request, "cachedContent").isString();
    Findings contentFindings = lintContents(contents, cached, context);
    std::move(contentFindings.begin(), contentFindings.end(), std::back_inserter(findings));
  }
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const Finding& finding) {
                                  return context.target.severity(finding) == Severity::kOff;
                                }),
                 findings.end());
  return findings;
}

Findings lintRequest(std::string_view body, const LintContext& context) {
  const Result<json::Tape> tape = json::Tape::read(body);
  if (!tape) return {catalogue::toFinding(tape.error(), *context.target.catalogue)};
  return lintRequest(tape.value().root(), body.size(), context);
}

}  // namespace strata::lint
