// Why this file exists: the rows of the methods, type by type.
#pragma once

#include <span>

#include "jinja/builtin.h"

namespace strata::jinja {

std::span<const Builtin> textMethods();
std::span<const Builtin> textSearchMethods();
std::span<const Builtin> listMethods();
std::span<const Builtin> tupleMethods();
std::span<const Builtin> dictMethods();
std::span<const Builtin> integerMethods();
std::span<const Builtin> floatMethods();

/// str.format(); in format/.
Value formatBraces(Call& call);

}  // namespace strata::jinja
