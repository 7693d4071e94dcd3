// Declares the tables of methods by type. They follow
// https://docs.python.org/3.11/library/stdtypes.html.
#pragma once

#include <span>

#include "jinja/builtin.h"

namespace strata::jinja {

std::span<const Builtin> textMethods();
std::span<const Builtin> textSearchMethods();
std::span<const Builtin> listMethods();
std::span<const Builtin> tupleMethods();
std::span<const Builtin> rangeMethods();
std::span<const Builtin> dictMethods();
std::span<const Builtin> integerMethods();
std::span<const Builtin> floatMethods();

/// str.format(), implemented in format/braces.cpp.
Value formatBraces(Call& call);

}  // namespace strata::jinja
