#include "repair/edits_of.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "base/heap_sort.h"

namespace strata::repair {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::TextEdit;

bool isSamePlace(const Finding& one, const Finding& other) {
  return one.rule == other.rule && one.content == other.content && one.part == other.part &&
         one.path == other.path && one.arg1 == other.arg1;
}

// Returns the first finding at the place of a repair that has no fix yet.
Finding* findingOf(Findings& findings, const Finding& repaired) {
  const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& each) {
    return each.fix == 0 && isSamePlace(each, repaired);
  });
  return found == findings.end() ? nullptr : &*found;
}

// Returns how far the place of a finding is from a difference.
size_t distance(const Finding& finding, const TextEdit& difference) {
  if (finding.begin > difference.end) return finding.begin - difference.end;
  if (finding.end < difference.begin) return difference.begin - finding.end;
  return 0;
}

// Returns the finding that a difference without one belongs to: the nearest, and of those that
// contain it the smallest. What is repaired already, or is an error, comes first.
Finding& nearestTo(Findings& findings, const TextEdit& difference,
                   const catalogue::Target& target) {
  const auto rank = [&](const Finding& finding) {
    const bool isError = target.severity(finding) == catalogue::Severity::kError;
    return std::make_tuple(finding.fix == 0 && !isError, distance(finding, difference),
                           finding.end - finding.begin);
  };
  return *std::min_element(
      findings.begin(), findings.end(),
      [&](const Finding& one, const Finding& other) { return rank(one) < rank(other); });
}

// Gives the findings of a lint the fixes of the repairs at the same places.
void takeFixes(Findings& findings, const RepairResult& repaired) {
  for (const Finding& each : repaired.findings) {
    if (!each.repaired) return;
    Finding* finding = findingOf(findings, each);
    if (finding != nullptr) finding->fix = each.fix;
  }
}

// Gives the differences that no finding has to the finding at their place.
void placeOthers(Findings& findings, Revision& body, const TextEdits& differences, size_t fixes,
                 const catalogue::Target& target) {
  std::vector<bool> isTaken(fixes + 1);
  for (const Finding& finding : findings) isTaken[body.groupOf(finding.fix)] = true;
  for (const TextEdit& each : differences) {
    if (isTaken[body.groupOf(each.fix)]) continue;
    Finding& finding = nearestTo(findings, each, target);
    if (finding.fix == 0) finding.fix = each.fix;
    body.join(finding.fix, each.fix);
    isTaken[body.groupOf(each.fix)] = true;
  }
}

// Returns the change that ended an error without a repair of its own, such as that of results
// without calls, or nullptr if the error remains: the one at its place.
const TextEdit* causeOf(const Finding& finding, const RepairResult& repaired,
                        const TextEdits& edits) {
  const auto near =
      std::min_element(edits.begin(), edits.end(), [&](const TextEdit& one, const TextEdit& other) {
        return distance(finding, one) < distance(finding, other);
      });
  const bool isRemoved =
      near->text.empty() && near->begin <= finding.begin && finding.end <= near->end;
  const auto isLike = [&](const Finding& each) {
    return !each.repaired && each.rule == finding.rule;
  };
  const bool mayRemain = std::any_of(repaired.findings.begin(), repaired.findings.end(), isLike);
  return isRemoved || !mayRemain ? &*near : nullptr;
}

void takeConsequences(Findings& findings, const RepairResult& repaired, const TextEdits& edits,
                      const catalogue::Target& target) {
  for (Finding& finding : findings) {
    if (finding.fix != 0 || target.severity(finding) != catalogue::Severity::kError) continue;
    const TextEdit* cause = causeOf(finding, repaired, edits);
    if (cause != nullptr) finding.fix = cause->fix;
  }
}

// Gives all fixes that belong together one number, and sorts the edits.
void number(std::span<Finding> findings, TextEdits& edits, const Revision& body) {
  for (TextEdit& each : edits) each.fix = body.groupOf(each.fix);
  heapSort(edits.begin(), edits.end(), [](const TextEdit& one, const TextEdit& other) {
    return std::tie(one.fix, one.begin) < std::tie(other.fix, other.begin);
  });
  for (Finding& finding : findings) finding.fix = body.groupOf(finding.fix);
}

}  // namespace

TextEdits editsOf(RepairResult& repaired) {
  TextEdits edits = repaired.body.differences();
  number({repaired.findings.begin(), repaired.findings.size()}, edits, repaired.body);
  return edits;
}

TextEdits findEdits(Findings& findings, std::string_view body, const lint::LintContext& context,
                    const RepairOptions& options, std::optional<RepairResult>& repaired) {
  if (!isWrong(findings, context.target)) return {};
  repaired = repairRequest(body, context, options);
  if (repaired->exceeded) return {};
  TextEdits edits = repaired->body.differences();
  if (edits.empty()) return {};
  takeFixes(findings, *repaired);
  placeOthers(findings, repaired->body, edits, repaired->fixes, context.target);
  takeConsequences(findings, *repaired, edits, context.target);
  number({findings.begin(), findings.size()}, edits, repaired->body);
  return edits;
}

}  // namespace strata::repair
