// Judges and rewrites any schema, and checks that a rewriting is JSON with fewer errors, that its
// findings are those of its text, and that rewriting it again changes nothing.
#include <algorithm>

#include "fuzz/cpp/checks.h"
#include "schemas/rewrite.h"

namespace strata::fuzz {
namespace {

using catalogue::Findings;
using schemas::Form;
using schemas::Rewriting;
using schemas::Subject;
using schemas::Use;

Findings judged(Subject subject, const catalogue::Target& target) {
  Findings findings;
  subject.everyKeyword = true;
  schemas::judge(subject, target, findings);
  requireReport(findings, target);
  return findings;
}

ptrdiff_t errorsIn(const Findings& findings, const catalogue::Target& target) {
  return std::count_if(findings.begin(), findings.end(), [&](const catalogue::Finding& each) {
    return target.severity(each) == catalogue::Severity::kError;
  });
}

// Requires that what `rewriting` says about its text is true. Calls `next` with the text as the
// subject of another rewriting, unless it nests too deeply to be read.
template <typename Next>
void checkRewriting(const Rewriting& rewriting, Subject subject, const catalogue::Target& target,
                    Next next) {
  requireReport(rewriting.repaired, target);
  const Result<json::Tape> tape = json::Tape::read(rewriting.schema);
  if (!tape) {
    return require(tape.error().code == "json.too_deep", "a rewritten schema is JSON",
                   rewriting.schema);
  }
  subject.schema = tape.value().root();
  subject.form = rewriting.form;
  require(errorsIn(judged(subject, target), target) == errorsIn(rewriting.left, target),
          "the findings are those of the rewritten schema", rewriting.schema);
  next(subject);
}

void checkRepair(const Subject& subject, const catalogue::Target& target, bool mayMove) {
  const auto repaired = schemas::repairSchema(subject, target, mayMove);
  if (!repaired) return;
  require(errorsIn(repaired->left, target) < errorsIn(judged(subject, target), target),
          "a repaired schema has fewer errors", repaired->schema);
  checkRewriting(*repaired, subject, target, [&](const Subject& rewritten) {
    const auto again = schemas::repairSchema(rewritten, target, mayMove);
    require(!again, "a repaired schema is not repaired again",
            repaired->schema + "\n" + (again ? again->schema : ""));
  });
}

void checkConversion(const Subject& subject, const catalogue::Target& target) {
  const Rewriting converted = schemas::toJsonSchema(subject, target);
  require(converted.form == Form::kJsonSchema, "a converted schema is JSON Schema");
  checkRewriting(converted, subject, target, [&](const Subject& rewritten) {
    const std::string again = schemas::toJsonSchema(rewritten, target).schema;
    require(again == converted.schema, "a converted schema is not converted again",
            converted.schema + "\n" + again);
  });
}

// The first line chooses model, service, form, use and whether the form may change.
void run(std::string_view bytes) {
  Input input(bytes);
  Input choices(input.line());
  const catalogue::Target& target = chooseJudge(choices).target();
  const Result<json::Tape> tape = json::Tape::read(input.rest());
  if (!tape) return;
  Subject subject;
  subject.schema = tape.value().root();
  subject.form = static_cast<Form>(choices.below(2));
  subject.use = static_cast<Use>(choices.below(3));
  const bool mayMove = choices.flag();
  judged(subject, target);
  checkRepair(subject, target, mayMove);
  checkConversion(subject, target);
}

const Registration kTarget("schemas", run);

}  // namespace
}  // namespace strata::fuzz
