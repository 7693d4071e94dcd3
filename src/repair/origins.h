// Maps the Contents and Parts of a repaired body to their positions in the original body.
#pragma once

#include <vector>

#include "repair/fixes.h"

namespace strata::repair {

/// Records where each Content and Part is located in the original body.
class Origins {
 public:
  /// Records the positions in `request`, the parsed text of `body`. `turns` Contents precede it in
  /// the thread.
  void read(json::Value request, int32_t turns, const Revision& body);

  /// Changes a finding about `snapshot`, the parsed text of `body`, to the position of the same
  /// bytes in the original body. Bytes that a fix created map to the Content they were created for.
  void locate(catalogue::Finding& finding, const Snapshot& snapshot, const Revision& body) const;

 private:
  // The bytes [begin, end) of the original body, and the Content and Part that they are.
  struct Place {
    size_t begin;
    size_t end;
    int32_t content;
    int32_t part;
    bool single = false;  // The only Part of a Content whose `parts` is a single object.
  };

  static const Place* placeAt(const std::vector<Place>& places, size_t origin);
  const Place* firstPlaceIn(const gemini::ContentView& view, const Revision& body) const;

  bool singleContents_ = false;
  std::vector<Place> contents_;
  std::vector<Place> parts_;
};

}  // namespace strata::repair
