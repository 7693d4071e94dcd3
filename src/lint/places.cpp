#include "lint/places.h"

#include <string>
#include <vector>

#include "base/heap_sort.h"
#include "json/pointer.h"

namespace strata::lint {
namespace {

using catalogue::Finding;

bool hasRange(const Finding& finding) { return finding.begin != std::string::npos; }

// Sets the bytes of findings that name a value.
void findValues(std::span<Finding> findings, const json::LenientTape& body) {
  std::vector<std::string> paths(findings.size());
  std::vector<json::Wanted> wanted;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (hasRange(findings[i])) continue;
    paths[i] = catalogue::pathOf(findings[i]);
    wanted.push_back({paths[i], i});
  }
  json::findNearest(body.root(), wanted);
  for (const json::Wanted& each : wanted) {
    const json::TextRange range = body.rangeOf(each.found);
    findings[each.id].begin = range.begin;
    findings[each.id].end = range.end;
  }
}

// The begin of a finding, or its end, which has no line and column.
struct Edge {
  size_t* offset;
  Finding* begins;
};

}  // namespace

void locateFindings(std::span<Finding> findings, const json::LenientTape& body,
                    json::TextUnit unit) {
  if (body.status()) findValues(findings, body);
  std::vector<Edge> edges;
  for (Finding& finding : findings) {
    if (!hasRange(finding)) continue;
    edges.push_back({&finding.begin, &finding});
    if (unit != json::TextUnit::kByte) edges.push_back({&finding.end, nullptr});
  }
  heapSort(edges.begin(), edges.end(),
           [](const Edge& a, const Edge& b) { return *a.offset < *b.offset; });
  json::TextPlaces places(body.text(), unit);
  for (const Edge& edge : edges) {
    const json::TextPlace place = places.place(*edge.offset);
    *edge.offset = place.offset;
    if (edge.begins == nullptr) continue;
    edge.begins->line = place.line;
    edge.begins->column = place.column;
  }
}

}  // namespace strata::lint
