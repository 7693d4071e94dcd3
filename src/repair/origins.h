// Why this file exists: a mend is told with its place in the body as it was given, and what it was
// about may have been moved, or made, by a mend before it.
#pragma once

#include <vector>

#include "repair/fixes.h"

namespace strata::repair {

/// Where the Contents and Parts of the given body stand.
class Origins {
 public:
  /// `turns` Contents come before those of `request`.
  void read(json::Value request, int32_t turns);

  /// Moves a finding about `draft`, which `body` holds, to where that stood in the given body. What
  /// was made by a mend is told at the Content that it was made from.
  void locate(catalogue::Finding& finding, const Draft& draft, const Revision& body) const;

 private:
  struct Place {
    size_t begin;
    size_t end;
    int32_t content;
    int32_t part;
  };

  static const Place* placeOf(const std::vector<Place>& places, size_t origin);
  const Place* placeIn(const gemini::ContentView& view, const Revision& body) const;

  std::vector<Place> contents_;
  std::vector<Place> parts_;
};

}  // namespace strata::repair
