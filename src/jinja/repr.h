// Converts values to text as Python prints them.
#pragma once

#include <string>
#include <string_view>

#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja {

/// Appends `str(value)`, the text that `{{ value }}` prints. Undefined values print by their kind.
/// Returns false after a failure: a strict undefined value, nesting beyond `Limits::valueDepth`, or
/// output beyond its limit.
bool appendText(Runtime& runtime, std::string& out, Value value);
/// Appends `repr(value)`: `'a'`, `[1, 2]`, `{'k': None}`, `Undefined`. Returns false as above.
bool appendRepr(Runtime& runtime, std::string& out, Value value);
/// Return `str(value)` and `repr(value)` as strings. toText() returns a string unchanged, Markup
/// included.
Value toText(Runtime& runtime, Value value);
Value toRepr(Runtime& runtime, Value value);

/// Returns the value as compact JSON for the host, or failure() for a value that JSON cannot
/// represent.
Value toJson(Runtime& runtime, Value value);

/// Appends Python's repr of a float: 1.0, 1e-05, 1e+16, inf, nan.
void appendFloat(std::string& out, double value);

/// Appends an int or float. Finite numbers are also valid JSON. Returns false after a failure: more
/// decimal digits than Python prints.
bool appendNumber(Runtime& runtime, std::string& out, Value number);

/// Returns whether Python's object has a method `__html__`: Markup, an imported template, or a
/// chainable undefined value.
bool hasHtml(Runtime& runtime, Value value);
/// Implements markupsafe.escape(): escapes & < > ' " unless the value has `__html__`.
Value escape(Runtime& runtime, Value value);
void appendEscaped(std::string& out, std::string_view text);

}  // namespace strata::jinja
