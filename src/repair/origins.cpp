#include "repair/origins.h"

#include <algorithm>

namespace strata::repair {

void Origins::read(json::Value request, int32_t turns, const Revision& body) {
  // `end` is where the Content or Part before it ends.
  const auto placeOf = [&](json::Value value, size_t& end, int32_t content, int32_t part) {
    const size_t begin = body.origin(value.offset());
    // A text that was in single quotes, which is no Content or Part, has other bytes there.
    if (begin == Revision::npos) return Place{end, end, content, part};
    end = body.origin(value.offset() + value.bytes().size() - 1) + 1;
    return Place{begin, end, content, part};
  };
  const json::Value contents = gemini::field(request, "contents");
  singleContents_ = contents.isObject();
  int32_t content = turns;
  size_t contentEnd = 0;
  for (const json::Value each : gemini::repeated(contents)) {
    contents_.push_back(placeOf(each, contentEnd, content, -1));
    size_t partEnd = contents_.back().begin;
    int32_t part = 0;
    const json::Value parts = gemini::field(each, "parts");
    for (const json::Value one : gemini::repeated(parts)) {
      parts_.push_back(placeOf(one, partEnd, content, part++));
      parts_.back().single = parts.isObject();
    }
    ++content;
  }
}

const Origins::Place* Origins::placeAt(const std::vector<Place>& places, size_t origin) {
  if (origin == Revision::npos) return nullptr;
  const auto after =
      std::upper_bound(places.begin(), places.end(), origin,
                       [](size_t at, const Place& place) { return at < place.begin; });
  if (after == places.begin()) return nullptr;
  const Place& place = *(after - 1);
  return origin < place.end ? &place : nullptr;
}

// Returns the place of a Content, or else of its first Part that is in the original body.
const Origins::Place* Origins::firstPlaceIn(const gemini::ContentView& view,
                                            const Revision& body) const {
  const Place* place = placeAt(contents_, body.origin(view.content.offset()));
  for (size_t i = 0; place == nullptr && i < view.partViews.size(); ++i) {
    place = placeAt(contents_, body.origin(view.partViews[i].part.offset()));
  }
  return place;
}

void Origins::locate(catalogue::Finding& finding, const Snapshot& snapshot,
                     const Revision& body) const {
  if (finding.content < 0) return;
  size_t at = snapshot.indexOf(finding);
  const json::Value content = snapshot.views[at].content;
  const Place* exact = finding.part < 0
                           ? placeAt(contents_, body.origin(content.offset()))
                           : placeAt(parts_, body.origin(snapshot.part(finding).part.offset()));
  const Place* place = exact;
  // A Content of new bytes only maps to the nearest earlier one: the calls it was created for.
  while (place == nullptr) {
    place = firstPlaceIn(snapshot.views[at], body);
    if (at-- == 0) break;
  }
  if (exact == nullptr) finding.path.clear();
  finding.content = place == nullptr ? -1 : place->content;
  finding.part = place == nullptr ? -1 : place->part;
  finding.singleContent = singleContents_;
  finding.singlePart = place != nullptr && place->single;
}

}  // namespace strata::repair
