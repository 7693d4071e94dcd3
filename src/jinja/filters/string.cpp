// Implements filters that transform text.
#include <string>

#include "base/utf8.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/case.h"
#include "jinja/text/characters.h"
#include "jinja/text/operations.h"
#include "jinja/text/split.h"

namespace strata::jinja {
namespace {

// Applies `change` to the text of `value`. The result is Markup if the text is.
Value changed(Runtime& runtime, Value value,
              void (*change)(std::string& out, std::string_view text)) {
  const Value text = toText(runtime, value);
  return text.failed() ? text : text::changed(runtime, text, change);
}

Value upper(Call& call) { return changed(call.runtime, call[0], text::appendUpper); }
Value lower(Call& call) { return changed(call.runtime, call[0], text::appendLower); }
Value capitalize(Call& call) { return changed(call.runtime, call[0], text::appendCapitalized); }

bool isWordStart(uint32_t c) {
  return c == '-' || c == '(' || c == '{' || c == '[' || c == '<' || text::isSpace(c);
}

// Unlike str.title(), the filter splits words at white space, hyphens and opening brackets
// (do_title in jinja2/filters.py).
void appendTitled(std::string& out, std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (isWordStart(decodeUtf8(text, at))) {
      out.append(text.substr(begin, at - begin));
      continue;
    }
    text::appendUpper(out, text.substr(begin, at - begin));
    size_t end = at;
    for (size_t next = at; next < text.size(); end = next) {
      if (isWordStart(decodeUtf8(text, next))) break;
    }
    text::appendLower(out, text.substr(at, end - at));
    at = end;
  }
}

Value title(Call& call) {
  const Value titled = changed(call.runtime, call[0], appendTitled);
  return titled.isString() ? call.runtime.string(titled.text()) : titled;
}

Value trim(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  if (text.failed()) return text;
  std::optional<std::string_view> characters;
  if (call.has(1) && !call[1].isNone()) {
    if (!call[1].isString()) return call.runtime.fail("strip arg must be None or str");
    characters = call[1].text();
  }
  const std::string_view kept =
      text::strip(call.runtime.budget, text.text(), text::Side::kBoth, characters);
  return call.runtime.string(kept, text.isSafe());
}

Value center(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  int64_t width = 80;
  if (text.failed() || !call.integer(1, width)) return Value::failure();
  return text::pad(call.runtime, text, width, " ", text::Side::kBoth);
}

Value replace(Call& call) {
  Runtime& runtime = call.runtime;
  int64_t count = -1;
  if (!call[3].isNone() && !call.integer(3, count)) return Value::failure();
  Value source = toText(runtime, call[0]);
  Value from = toText(runtime, call[1]);
  Value to = toText(runtime, call[2]);
  if (runtime.autoescape) {
    if (from.isSafe() || (to.isSafe() && !source.isSafe())) source = escape(runtime, source);
    if (source.isSafe()) {
      from = escape(runtime, from);
      to = escape(runtime, to);
    }
  }
  if (source.failed() || from.failed() || to.failed()) return Value::failure();
  return text::replace(runtime, source.text(), from.text(), to.text(), count,
                       runtime.autoescape && source.isSafe());
}

// Appends the indentation of a line: a string, or a number of spaces.
bool readIndentation(Call& call, Text& out) {
  int64_t width = 4;
  if (call[1].isString()) {
    out.append(call[1].text());
    return true;
  }
  if (call[1].isUndefined()) return !call.runtime.undefinedFailure(call[1]).failed();
  if (!call.integer(1, width)) return false;
  if (width > 0) out.repeat(" ", static_cast<uint64_t>(width));
  return true;
}

Value indent(Call& call) {
  Runtime& runtime = call.runtime;
  if (call[0].isUndefined()) return runtime.undefinedFailure(call[0]);
  if (!call[0].isString()) {
    return runtime.fail("can only concatenate str to '{}'", call[0]);
  }
  bool first = false;
  bool blank = false;
  Text margin(runtime);
  if (!readIndentation(call, margin) || !call.truth(2, first) || !call.truth(3, blank)) {
    return Value::failure();
  }
  const Value marginText = margin.take();
  if (marginText.failed()) return marginText;
  const std::string_view text = call[0].text();
  // Jinja2 appends a line break before it splits, so a text that ends in one has one more line.
  Text closed(runtime);
  const Value body = closed.append(text).append("\n").take();
  if (body.failed()) return body;
  const text::Parts lines = text::splitLines(runtime.heap, body.text());
  Text out(runtime);
  for (size_t i = 0; i < lines.size() && !out.failed(); ++i) {
    if (i > 0) out.append("\n");
    if (i == 0 ? first : (blank || !lines[i].empty())) out.append(marginText.text());
    out.append(lines[i]);
  }
  return out.take(call[0].isSafe());
}

// Returns the first `count` code points of a text, without a partial last word unless `killWords`.
std::string_view truncated(std::string_view text, size_t count, bool killWords) {
  text = text.substr(0, codePointOffset(text, count));
  if (killWords) return text;
  const size_t space = text.rfind(' ');
  return space == std::string_view::npos ? text : text.substr(0, space);
}

Value truncate(Call& call) {
  Runtime& runtime = call.runtime;
  bool killWords = false;
  std::string_view end = "...";
  double size = 255;
  double leeway = 5;
  if (!call.amount(1, size) || !call.truth(2, killWords) || !call.text(3, end)) {
    return Value::failure();
  }
  if (!call[4].isNone() && !call.amount(4, leeway)) return Value::failure();
  const auto endSize = static_cast<double>(codePoints(end));
  if (!(size >= endSize)) return runtime.fail("the length must be at least that of the end");
  if (!(leeway >= 0)) return runtime.fail("the leeway must be at least 0");
  const Value count = length(runtime, call[0]);
  if (count.failed() || static_cast<double>(count.asInteger()) <= size + leeway) {
    return count.failed() ? count : call[0];
  }
  if (!call[0].isString()) {
    return runtime.fail("'{}' object has no attribute 'rsplit'", call[0]);
  }
  const bool safe = call[0].isSafe();
  std::string tail;
  if (safe && !call[3].isSafe()) {
    appendEscaped(tail, end);
  } else {
    tail = end;
  }
  if (call[1].isDouble()) return runtime.fail(kNoSliceIndex);
  Text out(runtime);
  out.append(truncated(call[0].text(), static_cast<size_t>(size - endSize), killWords));
  return out.append(tail).take(safe);
}

Value wordcount(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  if (text.failed()) return text;
  int64_t count = 0;
  bool inside = false;
  for (size_t at = 0; at < text.text().size();) {
    const bool word = text::isWord(decodeUtf8(text.text(), at));
    if (word && !inside) ++count;
    inside = word;
  }
  return call.runtime.integer(count);
}

Value format(Call& call) {
  Runtime& runtime = call.runtime;
  const Value text = toText(runtime, call[0]);
  if (text.failed()) return text;
  if (call.named().empty()) {
    const Value arguments = runtime.newTuple(call.rest());
    return arguments.failed() ? arguments : formatPercent(runtime, text, arguments);
  }
  if (!call.rest().empty()) {
    return runtime.fail("can't handle positional and keyword arguments at the same time");
  }
  Dict* arguments = runtime.makeDict();
  for (const NamedValue& named : call.named()) {
    arguments->set(runtime.string(named.name), named.value);
  }
  return formatPercent(runtime, text, Value(*arguments));
}

Value string(Call& call) { return toText(call.runtime, call[0]); }

constexpr Builtin kRows[] = {
    {"capitalize s", capitalize},
    {"center value width?", reading<center>},
    {"format value *args **kwargs", format},
    {"indent s width? first? blank?", indent},
    {"lower s", lower},
    {"replace s old new count?", replace},
    {"string s", string},
    {"title s", title},
    {"trim value chars?", reading<trim>},
    {"truncate s length? killwords? end? leeway?", truncate},
    {"upper s", upper},
    {"wordcount s", reading<wordcount>},
    {"wordwrap s width? break_long_words? wrapstring? break_on_hyphens?", reading<wordwrapFilter>},
};

}  // namespace

std::span<const Builtin> stringFilters() { return kRows; }

}  // namespace strata::jinja
