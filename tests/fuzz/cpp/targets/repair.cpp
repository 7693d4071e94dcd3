// Lints and repairs any request body, and checks that the repaired body has only the findings that
// are reported as remaining, is not repaired again, and keeps every byte outside the edits.
#include "repair/repair.h"

#include <algorithm>

#include "fuzz/cpp/checks.h"
#include "lint/places.h"
#include "repair/edits_of.h"

namespace strata::fuzz {
namespace {

using catalogue::Finding;
using catalogue::Findings;

void requireOrigins(const repair::Revision& body, std::string_view source) {
  const std::string& text = body.text();
  require(body.segments().join() == text, "the segments are the text", text);
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t origin = body.origin(at);
    if (origin == repair::Revision::npos) continue;
    require(origin < source.size() && source[origin] == text[at],
            "a kept byte is that of the source", text);
  }
}

// Checks that the edits of a lint, applied one by one, make the repaired body.
void requireEdits(Findings found, std::string_view body, const lint::LintContext& context,
                  const repair::RepairOptions& options) {
  lint::findRanges({found.begin(), found.size()}, json::LenientTape(body));
  std::optional<repair::RepairResult> repaired;
  repair::TextEdits edits = repair::findEdits(found, body, context, options, repaired);
  if (!repaired) return;
  std::sort(edits.begin(), edits.end(),
            [](const auto& one, const auto& other) { return one.begin > other.begin; });
  std::string text(body);
  size_t last = body.size() + 1;
  for (const catalogue::TextEdit& edit : edits) {
    require(edit.end < last, "edits do not touch", text);
    last = edit.begin;
    text.replace(edit.begin, edit.end - edit.begin, edit.text);
    const bool isListed = std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
      return finding.fix == edit.fix;
    });
    require(isListed, "each edit has a finding", text);
  }
  require(text == repaired->body.text(), "the edits make the repaired body", text);
}

std::string reportOf(const Findings& findings, const catalogue::Target& target) {
  json::Writer out;
  catalogue::writeDiagnostics(out, findings, target);
  requireJson(out.text(), "a report is JSON");
  return out.take();
}

// Returns what is known about the body besides its text.
lint::LintContext chooseContext(const test::Judge& judge, Input& choices) {
  lint::LintContext context = judge.context();
  context.target.strict = choices.flag();
  context.target.serverCalls = choices.flag();
  if (choices.flag()) context.signaturesFrom.model = "gemini-2.5-flash";
  if (choices.flag()) context.cacheModel = "gemini-2.5-flash";
  if (choices.flag()) context.cacheTokens = 5;
  return context;
}

// The first line chooses model, service, placeholders and the rest of the context; then the body
// follows.
void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  const test::Judge& judge = chooseJudge(choices);
  const repair::RepairOptions options{choices.flag()};
  const lint::LintContext context = chooseContext(judge, choices);
  const catalogue::Target& target = context.target;
  const std::string_view body = input.rest();

  const Findings found = lint::lintRequest(body, context);
  reportOf(found, target);
  const repair::RepairResult repaired = repair::repairRequest(body, context, options);
  reportOf(repaired.findings, target);
  const std::string& text = repaired.body.text();
  requireOrigins(repaired.body, body);
  requireEdits(found, body, context, options);

  Findings left = repaired.findings;
  left.filter([](const Finding& finding) { return !finding.repaired; });
  if (left.size() == repaired.findings.size()) {
    require(text == body, "a body without repairs is unchanged", text);
  }
  require(reportOf(lint::lintRequest(text, context), target) == reportOf(left, target),
          "the remaining findings are those of the repaired body", text);
  const repair::RepairResult again = repair::repairRequest(text, context, options);
  require(again.body.text() == text, "a repaired body is not repaired again",
          text + "\n" + again.body.text());
}

const Registration kTarget("repair", run);

}  // namespace
}  // namespace strata::fuzz
