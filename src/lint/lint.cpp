#include "lint/lint.h"

#include <algorithm>
#include <utility>

#include "lint/content_rules.h"
#include "lint/request_rules.h"
#include "lint/sequence.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

// A single Content may leave its role out on the Gemini API.
void allowMissingRole(Findings& findings, const catalogue::Target& target) {
  for (Finding& finding : findings) {
    const bool missing = finding.rule == Rule::kRoleInvalid && finding.path.empty();
    if (missing && target.backend == gemini::Backend::kGemini)
      finding.severityCap = Severity::kInfo;
  }
}

// Findings about turns that are over are dropped, the others get the severity they have now.
Findings settle(Findings findings, const SequenceState& state, const catalogue::Target& target) {
  Findings settled;
  for (Finding& finding : findings) {
    const Severity severity = severityNow(finding, state, target);
    if (severity == Severity::kOff) continue;
    finding.severityCap = std::min(finding.severityCap, severity);
    settled.push_back(std::move(finding));
  }
  return settled;
}

// A fold over Contents, the state behind each carried to the next.
class Fold {
 public:
  Fold(const LintContext& context, size_t count) : context_(context), left_(count) {}

  void add(json::Value content) {
    gemini::ContentView& view = views_[turns_ % 2];
    const gemini::ContentView& before = views_[(turns_ + 1) % 2];
    view.read(content);
    const bool newest = --left_ == 0;
    const Provenance& from = context_.isTail && !newest ? own_ : context_.signaturesFrom;
    checkContent(view, state_.turns, context_.target, from, findings_);
    checkSequence(view, turns_ > 0 ? &before : nullptr, state_, findings_);
    state_ = advance(state_, view);
    ++turns_;
  }

  // `cached`: the request names a CachedContent, which may have swallowed the whole history.
  void close(bool cached) {
    if (turns_ == 1) allowMissingRole(findings_, context_.target);
    checkEnd(state_, findings_);
    if (cached && turns_ == 0) findings_.back().rule = Rule::kCacheEmptyContents;
  }

  Findings settled() { return settle(std::move(findings_), state_, context_.target); }

 private:
  const LintContext& context_;
  const Provenance own_ = {};
  SequenceState state_ = context_.start;
  size_t left_;
  size_t turns_ = 0;
  gemini::ContentView views_[2];
  Findings findings_;
};

Findings lintContents(json::Value contents, bool cached, const LintContext& context) {
  Fold fold(context, contents.size());
  for (const json::Value content : json::elements(contents)) fold.add(content);
  if (!context.isTail) fold.close(cached);
  return fold.settled();
}

}  // namespace

Findings lintRequest(json::Value request, size_t bytes, const LintContext& context) {
  Findings findings;
  if (!context.isTail) checkRequest(request, bytes, context, findings);
  const json::Value contents = gemini::field(request, "contents");
  if (request.isObject() && (!contents || contents.isNull() || contents.isArray())) {
    const bool cached = gemini::field(request, "cachedContent").isString();
    Findings more = lintContents(contents, cached, context);
    std::move(more.begin(), more.end(), std::back_inserter(findings));
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
  if (!tape) return {catalogue::findingOf(tape.error(), *context.target.catalogue)};
  return lintRequest(tape.value().root(), body.size(), context);
}

}  // namespace strata::lint
