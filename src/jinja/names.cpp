#include "jinja/names.h"

#include <array>

namespace strata::jinja {

Name* Names::intern(std::string_view text) {
  if (const Value* known = byText_.find(text)) return all_[static_cast<size_t>(known->asInteger())];
  struct Row {
    std::string_view text;
    Special special;
  };
  constexpr std::array<Row, 7> kSpecial = {{{"loop", kUsesLoop},
                                            {"forloop", kUsesLoop},
                                            {"caller", kUsesCaller},
                                            {"kwargs", kUsesKwargs},
                                            {"varargs", kUsesVarargs},
                                            {"self", kUsesSelf},
                                            {"super", kUsesSuper}}};
  Name* name = heap_.make<Name>(text);
  for (const Row& row : kSpecial) {
    if (row.text == text) name->special = row.special;
  }
  byText_.set(Value::string(heap_, text), Value::integer(heap_, static_cast<int64_t>(all_.size())));
  all_.add(name);
  return name;
}

}  // namespace strata::jinja
