// Declares pongo2's filters, and what tags share with them.
#pragma once

#include <span>
#include <string_view>

#include "jinja/runtime.h"

namespace strata::jinja::pongo2 {

struct Filter {
  std::string_view name;
  /// Both values are valid; a filter without an argument gets none.
  Value (*apply)(Runtime& runtime, Value in, Value argument);
};

/// Returns null for an unknown name.
const Filter* findFilter(std::string_view name);

/// Returns `text` with & < > " ' escaped.
Value escape(Runtime& runtime, std::string_view text);
/// Returns `text` without the white space between tags.
Value spaceless(Runtime& runtime, std::string_view text);
/// Formats an ISO 8601 time by a layout of Go, such as "Jan 2, 2006".
Value formatLayout(Runtime& runtime, std::string_view layout, std::string_view now);
/// Returns filler text: `count` words, or paragraphs as plain text (b) or HTML (p).
Value lorem(Runtime& runtime, char method, int64_t count);
/// Sorts strings by their bytes.
void sortTexts(Runtime& runtime, std::span<Value> values);
/// Returns the keys of a map in order.
List* sortedKeys(Runtime& runtime, Dict& dict);
/// Returns Go's fmt.Sprintf(format, value) for one value.
Value formatText(Runtime& runtime, std::string_view format, Value value);

// Filters that have files of their own.
Value truncatecharsHtml(Runtime& runtime, Value in, Value argument);
Value truncatewordsHtml(Runtime& runtime, Value in, Value argument);
Value urlize(Runtime& runtime, Value in, Value argument);
Value urlizetrunc(Runtime& runtime, Value in, Value argument);
Value iriencode(Runtime& runtime, Value in, Value argument);
Value urlencode(Runtime& runtime, Value in, Value argument);
Value striptags(Runtime& runtime, Value in, Value argument);
Value removetags(Runtime& runtime, Value in, Value argument);
Value escapejs(Runtime& runtime, Value in, Value argument);
Value linebreaks(Runtime& runtime, Value in, Value argument);

}  // namespace strata::jinja::pongo2
