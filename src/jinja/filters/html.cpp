// Implements filters for HTML and URLs.
#include <string>

#include "base/ascii.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/entities.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

Value escapeFilter(Call& call) { return escape(call.runtime, call[0]); }

Value asSafe(Runtime& runtime, Value text) {
  return text.failed() ? text : runtime.string(text.text(), true);
}

Value safe(Call& call) { return asSafe(call.runtime, toText(call.runtime, call[0])); }

Value forceescape(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  return text.failed() ? text : escape(call.runtime, call.runtime.string(text.text()));
}

// Appends `text` without the ranges from each `open` to the next `close`.
void appendWithout(std::string& out, std::string_view text, std::string_view open,
                   std::string_view close) {
  for (;;) {
    const size_t begin = text.find(open);
    const size_t end =
        begin == std::string_view::npos ? begin : text.find(close, begin + open.size());
    if (end == std::string_view::npos) break;
    out.append(text.substr(0, begin));
    text.remove_prefix(end + close.size());
  }
  out.append(text);
}

Value striptags(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  if (text.failed() || !call.runtime.canExamine(text)) return Value::failure();
  std::string withoutComments;
  appendWithout(withoutComments, text.text(), "<!--", "-->");
  std::string withoutTags;
  appendWithout(withoutTags, withoutComments, "<", ">");
  std::string words;
  for (const std::string_view word : text::splitWords(call.runtime.heap, withoutTags)) {
    if (!words.empty()) words += ' ';
    words += word;
  }
  std::string out;
  text::appendUnescapedHtml(out, words);
  return call.runtime.newString(out);
}

bool appendAttribute(Runtime& runtime, Text& out, const Dict::Entry& entry, bool first) {
  if (!entry.key.isString()) {
    runtime.fail("expected string or bytes-like object, got '{}'", entry.key);
    return false;
  }
  const std::string_view key = entry.key.text();
  if (key.find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos) {
    runtime.fail("Invalid character in attribute name: '{}'", key);
    return false;
  }
  const Value name = escape(runtime, entry.key);
  const Value value = escape(runtime, entry.value);
  if (name.failed() || value.failed()) return false;
  out.append(first ? "" : " ").append(name.text());
  out.append("=\"").append(value.text()).append("\"");
  return true;
}

Value xmlattr(Call& call) {
  Runtime& runtime = call.runtime;
  bool leadingSpace = true;
  if (!call.truth(1, leadingSpace)) return Value::failure();
  if (!isDict(call)) return Value::failure();
  Text out(runtime);
  bool first = true;
  for (const Dict::Entry& entry : call[0].asDict().entries()) {
    if (entry.value.isNone() || entry.value.isUndefined()) continue;
    if (first && leadingSpace) out.append(" ");
    if (!appendAttribute(runtime, out, entry, first)) return Value::failure();
    first = false;
  }
  return out.take(runtime.autoescape);
}

bool isUnreserved(char c) {
  return ascii::isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '~';
}

// Percent-encodes a value. In a query, a space becomes a plus sign and slashes are encoded.
bool appendQuotedUrl(Runtime& runtime, Text& out, Value value, bool query) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const Value text = toText(runtime, value);
  if (text.failed() || !runtime.canExamine(text)) return false;
  for (const char c : text.text()) {
    if (out.failed()) break;
    if (isUnreserved(c) || (c == '/' && !query)) {
      out.append(c);
    } else if (c == ' ' && query) {
      out.append('+');
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append('%').append(kHex[byte >> 4U]).append(kHex[byte & 15U]);
    }
  }
  return true;
}

bool appendPair(Runtime& runtime, Text& out, Value pair) {
  List* list = toList(runtime, pair);
  if (list == nullptr) return false;
  const auto items = list->items();
  if (items.size() != 2) {
    runtime.fail("expected pairs of a key and a value");
    return false;
  }
  if (!appendQuotedUrl(runtime, out, items[0], true)) return false;
  out.append('=');
  return appendQuotedUrl(runtime, out, items[1], true);
}

Value urlencode(Call& call) {
  Runtime& runtime = call.runtime;
  Text out(runtime);
  const Value value = call[0];
  if (value.isString() || value.isNumber() || value.isNone()) {
    return appendQuotedUrl(runtime, out, value, false) ? out.take() : Value::failure();
  }
  DictView view{value.is(Type::kDict) ? &value.asDict() : nullptr, ViewKind::kItems};
  Iteration each(runtime, value.is(Type::kDict) ? Value(view) : value);
  bool first = true;
  for (Value pair; each.next(pair); first = false) {
    if (!first) out.append('&');
    if (!appendPair(runtime, out, pair)) return Value::failure();
  }
  return each.failed() ? Value::failure() : out.take();
}

constexpr Builtin kRows[] = {
    {"e s /", escapeFilter},
    {"escape s /", escapeFilter},
    {"forceescape value", forceescape},
    {"safe value", safe},
    {"striptags value", reading<striptags>},
    {"urlencode value", urlencode},
    {"urlize value trim_url_limit? nofollow? target? rel? extra_schemes?", urlizeFilter},
    {"xmlattr d autospace?", xmlattr},
};

}  // namespace

std::span<const Builtin> htmlFilters() { return kRows; }

}  // namespace strata::jinja
