// Why this file exists: how Python prints values, which is what templates print.
#pragma once

#include <string>
#include <string_view>

#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja {

/// Appends `str(value)`: what `{{ value }}` prints. Undefined prints as its kind wants it. False
/// after a failure (strict undefined, nesting above `Limits::valueDepth`, output too large).
bool appendText(Runtime& runtime, std::string& out, Value value);
/// Appends `repr(value)`: `'a'`, `[1, 2]`, `{'k': None}`, `Undefined`.
bool appendRepr(Runtime& runtime, std::string& out, Value value);
/// `str(value)` and `repr(value)` as strings; a string, Markup included, is its own text.
Value toText(Runtime& runtime, Value value);
Value toRepr(Runtime& runtime, Value value);

/// The value as compact JSON, for the host: a string, or failure() for what JSON cannot say.
Value toJson(Runtime& runtime, Value value);

/// Python's repr of a float: 1.0, 1e-05, 1e+16, inf, nan.
void appendFloat(std::string& out, double value);

/// An int or float, but for inf and nan as JSON has it too.
void appendNumber(std::string& out, Value number);

/// markupsafe.escape: & < > ' " of the text, unless the value is Markup (or undefined).
Value escape(Runtime& runtime, Value value);
void appendEscaped(std::string& out, std::string_view text);

}  // namespace strata::jinja
