#include "lint/places.h"

#include <string>
#include <vector>

#include "json/pointer.h"

namespace strata::lint {
namespace {

using catalogue::Finding;

bool hasRange(const Finding& finding) { return finding.begin != std::string::npos; }

}  // namespace

void findRanges(std::span<Finding> findings, const json::LenientTape& body) {
  if (!body.status()) return;
  std::vector<std::string> paths;
  for (const Finding& finding : findings) paths.push_back(catalogue::pathOf(finding));
  const std::vector<json::Value> values = json::findNearest(body.root(), paths);
  for (size_t i = 0; i < findings.size(); ++i) {
    if (hasRange(findings[i])) continue;
    const json::TextRange range = body.rangeOf(values[i]);
    findings[i].begin = range.begin;
    findings[i].end = range.end;
  }
}

void countPlaces(std::span<Finding> findings, std::span<catalogue::TextEdit> edits,
                 std::string_view text, json::TextUnit unit) {
  json::TextPlaces places(text, unit);
  for (Finding& finding : findings) {
    if (!hasRange(finding)) continue;
    const json::TextPlace begin = places.place(finding.begin);
    finding.begin = begin.offset;
    finding.end = places.place(finding.end).offset;
    finding.line = begin.line;
    finding.column = begin.column;
  }
  for (catalogue::TextEdit& edit : edits) {
    const json::TextRange range = places.range({edit.begin, edit.end});
    edit.begin = range.begin;
    edit.end = range.end;
  }
}

}  // namespace strata::lint
