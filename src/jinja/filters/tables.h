// Why this file exists: each file of filters keeps its rows to itself; here the registry finds
// them.
#pragma once

#include <span>

#include "jinja/builtin.h"

namespace strata::jinja {

std::span<const Builtin> stringFilters();
std::span<const Builtin> sequenceFilters();
std::span<const Builtin> selectionFilters();
std::span<const Builtin> orderFilters();
std::span<const Builtin> numberFilters();
std::span<const Builtin> htmlFilters();
std::span<const Builtin> jsonFilters();

/// Whether parameter 0 is a dict; a failure where it is not.
bool isDict(Call& call);

/// The undefined that first, last, random, min and max give of nothing; `hint` is its error.
Value emptySequence(Runtime& runtime, std::string_view hint);

// Rows whose functions have a file of their own.
Value wordwrapFilter(Call& call);
Value urlizeFilter(Call& call);
Value pprintFilter(Call& call);
Value tojsonFilter(Call& call);

}  // namespace strata::jinja
