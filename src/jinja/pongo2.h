// Implements the differences between pongo2 and Jinja2. pongo2 (https://github.com/flosch/pongo2,
// v6) is a Go library for Django's template language. Everything that both share runs as Jinja2.
#pragma once

#include <string_view>

#include "jinja/builtin.h"
#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja::pongo2 {

/// Returns whether `name` is a keyword that no variable can have.
bool isKeyword(std::string_view name);
/// Returns the row of a pongo2 filter, or null for one that only Jinja2 has.
const Builtin* findFilter(std::string_view name);
/// Returns what {% templatetag name %} prints; empty for an unknown name.
std::string_view templateTag(std::string_view name);
/// Returns whether `key` consists of letters, digits and underscores. pongo2 rejects a context with
/// any other key.
bool isContextKey(std::string_view key);

/// Returns what {{ value }} prints: nothing for nil, six decimals for a float, a Go type for a
/// container.
Value toText(Runtime& runtime, Value value);
/// Returns `object.name`. Only dicts have members; strings, numbers and lists have no fields or
/// methods.
Value getAttribute(Runtime& runtime, Value object, std::string_view name);
/// Returns what `for` iterates over: with two targets the pairs of a dict sorted by key, with one
/// its sorted keys, and nothing for none and numbers.
Value toIterable(Runtime& runtime, Value value, bool pairs);
/// Returns `text` with & < > " ' escaped as pongo2 escapes them, as Markup.
Value escape(Runtime& runtime, std::string_view text);

}  // namespace strata::jinja::pongo2
