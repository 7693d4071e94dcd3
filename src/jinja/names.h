// Why this file exists: each name of a template is kept once, so that telling two apart is
// comparing two pointers.
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

  /// `text` must outlive the template.
  Name* intern(std::string_view text);

 private:
  Heap& heap_;
  Dict byText_;  // text -> index in all_
  HeapVector<Name*> all_;
};

}  // namespace strata::jinja
