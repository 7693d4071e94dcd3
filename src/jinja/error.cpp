#include "jinja/error.h"

#include <array>

#include "jinja/budget.h"

namespace strata::jinja {

std::string_view nameOf(ErrorKind kind) {
  constexpr std::array<std::string_view, 9> kNames = {
      "syntax",   "undefined", "not_found", "runtime", "zero_division",
      "security", "recursion", "raised",    "limit",
  };
  return kNames[static_cast<size_t>(kind)];
}

std::string_view nameOf(Limit limit) {
  constexpr std::array<std::string_view, 13> kNames = {
      "none",        "source_size", "parse_depth",      "call_depth",      "include_depth",
      "steps",       "output_size", "string_size",      "collection_size", "range",
      "value_depth", "memory",      "integer_overflow",
  };
  return kNames[static_cast<size_t>(limit)];
}

}  // namespace strata::jinja
