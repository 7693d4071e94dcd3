#include "jinja/filters/tables.h"

namespace strata::jinja {

const Builtin* findFilter(std::string_view name) {
  using Table = std::span<const Builtin> (*)();
  constexpr Table kTables[] = {stringFilters, sequenceFilters, selectionFilters, orderFilters,
                               numberFilters, htmlFilters,     jsonFilters};
  for (const Table table : kTables) {
    if (const Builtin* row = findIn(table(), name)) return row;
  }
  return nullptr;
}

}  // namespace strata::jinja
