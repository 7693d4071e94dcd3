// Why this file exists: the API reads each name in two spellings.
#pragma once

#include <string_view>

#include "json/value.h"

namespace strata::tokens {

inline json::Value either(json::Value object, std::string_view camelCase,
                          std::string_view snakeCase) {
  const json::Value found = object.find(camelCase);
  return found ? found : object.find(snakeCase);
}

}  // namespace strata::tokens
