#include "lint/places.h"

#include <string>
#include <vector>

#include "json/pointer.h"

namespace strata::lint {
namespace {

using catalogue::Finding;

bool hasRange(const Finding& finding) { return finding.begin != std::string::npos; }

// Sets the bytes of findings that name a value.
void findValues(std::span<Finding> findings, const json::LenientTape& body) {
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

}  // namespace

void locateFindings(std::span<Finding> findings, const json::LenientTape& body,
                    json::TextUnit unit) {
  if (body.status()) findValues(findings, body);
  json::TextPlaces places(body.text(), unit);
  for (Finding& finding : findings) {
    if (!hasRange(finding)) continue;
    const json::TextPlace begin = places.place(finding.begin);
    finding.begin = begin.offset;
    finding.line = begin.line;
    finding.column = begin.column;
    if (unit != json::TextUnit::kByte) finding.end = places.place(finding.end).offset;
  }
}

}  // namespace strata::lint
