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
  constexpr std::array<std::string_view, 12> kNames = {
      "none",        "source_size", "parse_depth",     "call_depth", "include_depth", "steps",
      "output_size", "string_size", "collection_size", "range",      "value_depth",   "memory",
  };
  return kNames[static_cast<size_t>(limit)];
}

ErrorClass classOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kSyntax:
      return ErrorClass::kSyntax;
    case ErrorKind::kUndefined:
      return ErrorClass::kUndefined;
    case ErrorKind::kLimit:
    case ErrorKind::kRecursion:
      return ErrorClass::kLimit;
    default:
      return ErrorClass::kRuntime;
  }
}

std::string compose(const char* pattern, std::string_view first, std::string_view second,
                    std::string_view third) {
  std::string out;
  for (std::string_view rest = pattern; !rest.empty();) {
    if (!rest.starts_with("{}")) {
      out.push_back(rest.front());
      rest.remove_prefix(1);
      continue;
    }
    out += first;
    first = second;
    second = third;
    rest.remove_prefix(2);
  }
  return out;
}

}  // namespace strata::jinja
