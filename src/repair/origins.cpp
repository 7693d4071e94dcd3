#include "repair/origins.h"

#include <algorithm>

namespace strata::repair {

void Origins::read(json::Value request, int32_t turns) {
  int32_t content = turns;
  for (const json::Value each : json::elements(gemini::field(request, "contents"))) {
    contents_.push_back({each.offset(), each.offset() + each.bytes().size(), content, -1});
    int32_t part = 0;
    for (const json::Value inner : json::elements(gemini::field(each, "parts"))) {
      parts_.push_back({inner.offset(), inner.offset() + inner.bytes().size(), content, part++});
    }
    ++content;
  }
}

const Origins::Place* Origins::placeOf(const std::vector<Place>& places, size_t origin) {
  if (origin == Revision::npos) return nullptr;
  const auto behind =
      std::upper_bound(places.begin(), places.end(), origin,
                       [](size_t at, const Place& place) { return at < place.begin; });
  if (behind == places.begin()) return nullptr;
  const Place& place = *(behind - 1);
  return origin < place.end ? &place : nullptr;
}

// Its own place, else that of the first Part in it that was given.
const Origins::Place* Origins::placeIn(const gemini::ContentView& view,
                                       const Revision& body) const {
  const Place* place = placeOf(contents_, body.origin(view.content.offset()));
  for (size_t i = 0; place == nullptr && i < view.partViews.size(); ++i) {
    place = placeOf(contents_, body.origin(view.partViews[i].part.offset()));
  }
  return place;
}

void Origins::locate(catalogue::Finding& finding, const Draft& draft, const Revision& body) const {
  if (finding.content < 0) return;
  size_t at = draft.at(finding);
  const json::Value content = draft.views[at].content;
  const Place* own = finding.part < 0
                         ? placeOf(contents_, body.origin(content.offset()))
                         : placeOf(parts_, body.origin(draft.part(finding).part.offset()));
  const Place* place = own;
  // What is all new stands behind the calls that it was made for.
  while (place == nullptr) {
    place = placeIn(draft.views[at], body);
    if (at-- == 0) break;
  }
  if (own == nullptr) finding.path.clear();
  finding.content = place == nullptr ? -1 : place->content;
  finding.part = place == nullptr ? -1 : place->part;
}

}  // namespace strata::repair
