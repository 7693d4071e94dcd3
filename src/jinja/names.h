// Interns the names of a template: equal names share one Name object, so comparing two names
// compares two pointers.
#pragma once

#include <string_view>

#include "jinja/ast.h"
#include "jinja/collections.h"
#include "jinja/heap.h"
#include "jinja/heap_vector.h"

namespace strata::jinja {

class Names {
 public:
  explicit Names(Heap& heap) : heap_(heap), byText_(heap), all_(heap) {}

  /// Returns the Name for `text`, creating it if needed. `text` must outlive the Heap.
  Name* intern(std::string_view text);

 private:
  Heap& heap_;
  Dict byText_;  // text to index in all_
  HeapVector<Name*> all_;
};

}  // namespace strata::jinja
