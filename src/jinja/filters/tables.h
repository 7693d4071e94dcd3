// Declares the tables of filters, one per file, for the registry. The filters are those of
// jinja2/filters.py (https://jinja.palletsprojects.com/en/stable/templates/#builtin-filters).
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

/// Returns whether parameter 0 is a dict; fails if it is not.
bool isDict(Call& call);

/// Returns the undefined value that first, last, random, min and max produce for an empty sequence;
/// `hint` is its error message.
Value emptySequence(Runtime& runtime, std::string_view hint);

// Filters that have a file of their own.
Value wordwrapFilter(Call& call);
Value urlizeFilter(Call& call);
Value pprintFilter(Call& call);
Value tojsonFilter(Call& call);

}  // namespace strata::jinja
