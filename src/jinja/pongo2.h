// Why this file exists: the Rapida documents were written for pongo2, which is Django's language
// rather than Jinja2's. What both share runs as Jinja2; here is where they differ.
#pragma once

#include <string_view>

#include "jinja/builtin.h"
#include "jinja/runtime.h"
#include "jinja/value.h"

namespace strata::jinja::pongo2 {

/// Words that name no variable.
bool isKeyword(std::string_view name);
/// The row of a filter that pongo2 has; null for one that only Jinja2 has.
const Builtin* findFilter(std::string_view name);
/// What {% templatetag name %} prints; empty for an unknown name.
std::string_view templateTag(std::string_view name);
/// pongo2 refuses a context with a key that is not letters, digits and underscores.
bool isContextKey(std::string_view key);

/// What {{ value }} prints: nothing for nil, six decimals for a float, a Go type for a container.
Value toText(Runtime& runtime, Value value);
/// `object.name`: a member; nothing has methods, and text and numbers have no fields.
Value getAttribute(Runtime& runtime, Value object, std::string_view name);
/// What `for` walks: pairs of a dict in the order of its keys when there are two targets, nothing
/// of what cannot be walked.
Value toIterable(Runtime& runtime, Value value, bool pairs);
/// & < > " ' as pongo2 spells them.
Value escape(Runtime& runtime, std::string_view text);

}  // namespace strata::jinja::pongo2
