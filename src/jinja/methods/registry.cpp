#include <algorithm>

#include "jinja/methods/tables.h"

namespace strata::jinja {

const Builtin* findMethod(Type type, std::string_view name) {
  switch (type) {
    case Type::kString: {
      const Builtin* row = findIn(textMethods(), name);
      return row != nullptr ? row : findIn(textSearchMethods(), name);
    }
    case Type::kList:
      return findIn(listMethods(), name);
    case Type::kTuple:
      return findIn(tupleMethods(), name);
    case Type::kRange:
      return findIn(rangeMethods(), name);
    case Type::kDict:
      return findIn(dictMethods(), name);
    case Type::kInt:
    case Type::kLongInteger:
    case Type::kBool:
      return findIn(integerMethods(), name);
    case Type::kDouble:
      return findIn(floatMethods(), name);
    default:
      return nullptr;
  }
}

bool changesReceiver(Type type, std::string_view name) {
  constexpr std::string_view kNames[] = {"append",     "clear",   "extend", "insert",
                                         "pop",        "popitem", "remove", "reverse",
                                         "setdefault", "sort",    "update"};
  if (type != Type::kList && type != Type::kDict) return false;
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace strata::jinja
