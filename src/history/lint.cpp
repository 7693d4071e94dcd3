#include "history/lint.h"

#include <algorithm>
#include <utility>

#include "history/content_rules.h"
#include "history/request_rules.h"
#include "history/sequence.h"

namespace strata::history {
namespace {

using rules::Finding;
using rules::Findings;
using rules::Rule;
using rules::Severity;

// A single Content may leave its role out on the Gemini API.
void allowMissingRole(Findings& findings, const rules::Target& target) {
  for (Finding& finding : findings) {
    const bool missing = finding.rule == Rule::kRoleInvalid && finding.path.empty();
    if (missing && target.backend == rules::Backend::kGemini) finding.atMost = Severity::kInfo;
  }
}

// Findings about turns that are over are dropped, the others get the severity they have now.
Findings settle(Findings findings, const SequenceState& state, const rules::Target& target) {
  Findings settled;
  for (Finding& finding : findings) {
    const Severity severity = severityNow(finding, state, target);
    if (severity == Severity::kOff) continue;
    finding.atMost = std::min(finding.atMost, severity);
    settled.push_back(std::move(finding));
  }
  return settled;
}

// `cached`: the request names a CachedContent, which may have swallowed the whole history.
Findings lintContents(json::Value contents, bool cached, const LintContext& context) {
  Findings findings;
  SequenceState state;
  ContentView views[2];
  for (const json::Value content : json::elements(contents)) {
    ContentView& view = views[state.turns % 2];
    const ContentView& before = views[(state.turns + 1) % 2];
    view.read(content);
    checkContent(view, state.turns, context.target, context.signaturesFrom, findings);
    checkSequence(view, &before, state, findings);
    state = advance(state, view);
  }
  if (state.turns == 1) allowMissingRole(findings, context.target);
  checkEnd(state, findings);
  if (cached && state.turns == 0) findings.back().rule = Rule::kCacheEmptyContents;
  return settle(std::move(findings), state, context.target);
}

}  // namespace

Findings lintRequest(std::string_view body, const LintContext& context) {
  const Result<json::Tape> tape = json::Tape::read(body);
  if (!tape) return {rules::findingOf(tape.error(), *context.target.catalogue)};
  const json::Value request = tape.value().root();
  Findings findings;
  checkRequest(request, body.size(), context, findings);
  const json::Value contents = field(request, "contents");
  if (request.isObject() && (!contents || contents.isNull() || contents.isArray())) {
    const bool cached = field(request, "cachedContent").isString();
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

}  // namespace strata::history
