#include "lint/lint.h"

#include <algorithm>
#include <utility>

#include "json/text_place.h"
#include "lint/content_rules.h"
#include "lint/interaction_rules.h"
#include "lint/request_check.h"
#include "lint/request_rules.h"
#include "lint/response_pairing.h"
#include "lint/turn_order.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using catalogue::Severity;

// The Gemini API accepts a single Content without a role.
void allowMissingRole(Findings& findings, const catalogue::Target& target) {
  if (target.backend != gemini::Backend::kGemini) return;
  findings.filter([](Finding& finding) {
    const bool missing =
        finding.rule == Rule::kRoleInvalid && finding.content >= 0 && finding.path.empty();
    if (missing) finding.severityCap = Severity::kInfo;
    return true;
  });
}

// Lints Contents one after the other, carrying the sequence state along.
class ContentsLinter {
 public:
  ContentsLinter(const LintContext& context, const catalogue::Target& target, json::Value contents,
                 Findings& findings)
      : context_(context),
        target_(target),
        findings_(findings),
        single_(contents.isObject()),
        remaining_(gemini::repeatedSize(contents)) {}

  void add(json::Value content) {
    gemini::ContentView& view = nextView();
    const size_t first = findings_.size();
    view.read(content);
    const bool newest = --remaining_ == 0;
    const Provenance& from =
        context_.isTail && !newest ? unknownProvenance_ : context_.signaturesFrom;
    checkContent(view, state_.turns, target_, from, findings_);
    // Without the Contents before a tail, its calls are not known.
    const bool known = state_.firstCallIndex >= context_.start.turns;
    const Calls calls = known && answersCalls(view, state_) ? openCalls() : Calls();
    checkSequence(view, known ? &calls : nullptr, state_, target_, findings_);
    const int32_t opening = state_.openingIndex;
    state_ = advance(state_, view, target_);
    complete(first, view);
    if (hasTurnFindings_ && state_.openingIndex != opening) applyCurrentSeverity();
    ++turns_;
  }

  // Checks the end of the request. `cached`: it names a CachedContent, so an empty `contents` means
  // that the cache took the whole history.
  void finish(bool cached, BodyKind kind) {
    if (turns_ == 1) allowMissingRole(findings_, target_);
    if (kind == BodyKind::kCachedContent) return finishCache();
    checkEnd(state_, findings_);
    if (cached && turns_ == 0) findings_.back().rule = Rule::kCacheEmptyContents;
  }

  // A CachedContent may have no contents, and it must not end inside a step.
  void finishCache() {
    if (turns_ == 0 || (!state_.model && !state_.endsWithResponses())) return;
    Finding& finding = findings_.emplace_back();
    finding.rule = Rule::kCacheSplitsStep;
    finding.content = state_.turns - 1;
  }

  // Drops findings about turns that are over and caps the others at their current severity. Done as
  // soon as a turn opens, so that what is over takes no place of what is not.
  void applyCurrentSeverity() {
    hasTurnFindings_ = false;
    findings_.filter([this](Finding& finding) {
      const Severity severity = severityNow(finding, state_, target_);
      finding.severityCap = std::min(finding.severityCap, severity);
      if (severity != Severity::kOff) noteTurnFinding(finding);
      return severity != Severity::kOff;
    });
  }

 private:
  // Returns a view for the next Content. The views of Contents with open calls stay.
  gemini::ContentView& nextView() {
    if (!state_.hasOpenCalls()) used_ = 0;
    if (used_ == views_.size()) views_.emplace_back();
    return views_[used_++];
  }

  // Returns the open calls: those of the views from `firstCallIndex` on, before the newest one.
  Calls openCalls() const {
    const auto count = static_cast<size_t>(state_.turns - state_.firstCallIndex);
    return openCallsIn(std::span(views_).subspan(used_ - 1 - count, count));
  }

  // Sets what the findings about a Content have in common, from index `first` on.
  void complete(size_t first, const gemini::ContentView& view) {
    for (; first < findings_.size(); ++first) {
      Finding& finding = findings_[first];
      finding.singlePart = view.parts.isObject();
      finding.singleContent = single_;
      noteTurnFinding(finding);
    }
  }

  void noteTurnFinding(const Finding& finding) {
    if (target_.row(finding.rule).scope == catalogue::Scope::kTurn) hasTurnFindings_ = true;
  }

  const LintContext& context_;
  const catalogue::Target& target_;
  Findings& findings_;
  const bool single_;  // `contents` is a single object.
  const Provenance unknownProvenance_ = {};
  SequenceState state_ = context_.start;
  size_t remaining_;
  size_t turns_ = 0;
  std::vector<gemini::ContentView> views_;  // Moving a view keeps pointers to its Parts valid.
  size_t used_ = 0;
  bool hasTurnFindings_ = false;
};

catalogue::Target targetOf(json::Value request, const LintContext& context) {
  catalogue::Target target = context.target;
  target.serverCalls = mayHoldServerCalls(request, context);
  return target;
}

void lintContents(json::Value request, BodyKind kind, const LintContext& context,
                  Findings& findings) {
  const json::Value contents = gemini::field(request, "contents");
  const catalogue::Target target = targetOf(request, context);
  ContentsLinter linter(context, target, contents, findings);
  for (const json::Value content : gemini::repeated(contents)) linter.add(content);
  const bool cached = gemini::field(request, "cachedContent").isString();
  if (!context.isTail) linter.finish(cached, kind);
  linter.applyCurrentSeverity();
}

}  // namespace

BodyKind bodyKindOf(json::Value body) {
  if (gemini::field(body, "generateContentRequest").isObject()) return BodyKind::kCountTokens;
  for (const std::string_view name : {"ttl", "expireTime", "displayName"}) {
    if (isSet(gemini::field(body, name))) return BodyKind::kCachedContent;
  }
  return BodyKind::kRequest;
}

json::Value requestOf(json::Value body) {
  const json::Value nested = gemini::field(body, "generateContentRequest");
  return nested.isObject() ? nested : body;
}

bool mayHoldServerCalls(json::Value request, const LintContext& context) {
  if (context.target.serverCalls || isSet(gemini::field(request, "cachedContent"))) return true;
  for (const json::Value tool : gemini::repeated(gemini::field(request, "tools"))) {
    if (isSet(gemini::field(tool, "mcpServers"))) return true;
  }
  return false;
}

interactions::Wire wireOf(json::Value body, const LintContext& context) {
  if (context.isTail) return interactions::Wire::kGenerateContent;
  if (context.wire) return *context.wire;
  return interactions::wireOf(body, context.model);
}

Findings lintRequest(json::Value body, size_t bytes, const LintContext& context,
                     Findings findings) {
  const interactions::Wire wire = wireOf(body, context);
  if (wire == interactions::Wire::kInteractions && body.isObject())
    return lintInteraction(body, bytes, context, std::move(findings));
  if (interactions::isOfOthers(wire)) return otherApiFinding(wire, std::move(findings));
  return lintGenerateContent(body, bytes, context, std::move(findings));
}

Findings lintGenerateContent(json::Value body, size_t bytes, const LintContext& context,
                             Findings findings) {
  const BodyKind kind = context.isTail ? BodyKind::kRequest : bodyKindOf(body);
  const json::Value request = context.isTail ? body : requestOf(body);
  if (!context.isTail) checkRequest(request, kind, bytes, context, findings);
  const json::Value contents = gemini::field(request, "contents");
  if (request.isObject() && (!isSet(contents) || contents.isArray() || contents.isObject())) {
    lintContents(request, kind, context, findings);
  }
  findings.filter(
      [&](const Finding& finding) { return context.target.severity(finding) != Severity::kOff; });
  if (kind == BodyKind::kCountTokens) {
    const bool camelCase = static_cast<bool>(body.find("generateContentRequest"));
    for (Finding& finding : findings)
      finding.root = camelCase ? "/generateContentRequest" : "/generate_content_request";
  }
  return findings;
}

Findings departureFindings(std::string_view body, const json::LenientText& text) {
  Findings findings;
  json::TextPlaces places(body);
  for (const json::Departure& departure : text.departures) {
    Finding& finding = findings.emplace_back();
    finding.rule = Rule::kJsonLenient;
    finding.path = departure.path;
    finding.arg1 = departure.what;
    finding.arg2 = places.describe(departure.begin);
    finding.begin = departure.begin;
    finding.end = departure.end;
  }
  return findings;
}

Findings lintRequest(const json::LenientTape& body, const LintContext& context) {
  const std::string_view text = body.text();
  if (!body.status()) {
    return {catalogue::toFinding(body.status().error(), *context.target.catalogue, text)};
  }
  Findings findings = lintRequest(body.root(), text.size(), context);
  if (!body.lenient()) return findings;
  Findings all = departureFindings(text, *body.lenient());
  all.append(findings);
  return all;
}

Findings lintRequest(std::string_view body, const LintContext& context) {
  return lintRequest(json::LenientTape(body), context);
}

}  // namespace strata::lint
