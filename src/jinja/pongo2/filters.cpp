// Implements the filters of pongo2's filters_builtin.go.
#include "jinja/pongo2/filters.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "jinja/format/number_format.h"
#include "jinja/ops.h"
#include "jinja/pongo2/values.h"
#include "jinja/text/case.h"
#include "jinja/text/operations.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {
namespace {

using Texts = std::span<std::string_view>;

// Replaces each `from` by `to`.
Value replaced(Runtime& runtime, Value text, std::string_view from, std::string_view to) {
  return text.failed() ? text : text::replace(runtime, text.text(), from, to, -1, false);
}

// Returns strings as a []string.
Value textsOf(Runtime& runtime, Texts texts) {
  if (!runtime.budget.collection(texts.size())) return runtime.limitFailure();
  List* list = runtime.makeList();
  for (const std::string_view text : texts) list->append(runtime.string(text));
  return Value::tuple(list);
}

// strings.Split()
Texts splitAt(Runtime& runtime, std::string_view text, std::string_view separator) {
  if (!separator.empty()) return text::splitAt(runtime.heap, text, separator);
  HeapVector<std::string_view> parts(runtime.heap);
  while (!text.empty()) {
    const size_t size = codePointOffset(text, 1);
    parts.add(text.substr(0, size));
    text.remove_prefix(size);
  }
  return parts.span();
}

Value joined(Runtime& runtime, Texts texts, std::string_view separator) {
  Text out(runtime);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out.append(separator);
    out.append(texts[i]);
  }
  return out.take();
}

Value safe(Runtime&, Value in, Value) { return in; }

Value escapeFilter(Runtime& runtime, Value in, Value) {
  const Value text = textOf(runtime, in);
  return text.failed() ? text : escape(runtime, text.text());
}

Value add(Runtime& runtime, Value in, Value argument) {
  const bool numbers = (isWhole(in) || in.isDouble()) && (isWhole(argument) || argument.isDouble());
  if (numbers && (in.isDouble() || argument.isDouble())) {
    return runtime.number(floatOf(in) + floatOf(argument));
  }
  if (numbers) {
    return runtime.integer(static_cast<int64_t>(static_cast<uint64_t>(in.asInteger()) +
                                                static_cast<uint64_t>(argument.asInteger())));
  }
  const Value left = textOf(runtime, in);
  const Value right = left.failed() ? left : textOf(runtime, argument);
  if (right.failed()) return right;
  return Text(runtime).append(left.text()).append(right.text()).take();
}

Value addslashes(Runtime& runtime, Value in, Value) {
  Value text = textOf(runtime, in);
  for (const std::string_view escaped : {"\\\\", "\\\"", "\\'"}) {
    text = replaced(runtime, text, escaped.substr(1), escaped);
  }
  return text;
}

Value capfirst(Runtime& runtime, Value in, Value) {
  if (lengthOf(in) <= 0) return Value::emptyString();
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const size_t first = codePointOffset(text.text(), 1);
  std::string out;
  text::appendSimple(out, text.text().substr(0, first), text::Case::kUpper);
  return runtime.newString(out.append(text.text().substr(first)));
}

// Pads to `width` characters; `left` and `right` are the shares of the spaces.
Value padded(Runtime& runtime, Value in, int64_t left, int64_t right) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  Text out(runtime);
  out.repeat(" ", static_cast<uint64_t>(std::max<int64_t>(left, 0))).append(text.text());
  return out.repeat(" ", static_cast<uint64_t>(std::max<int64_t>(right, 0))).take();
}

Value center(Runtime& runtime, Value in, Value argument) {
  const int64_t width = integerOf(argument);
  const int64_t length = lengthOf(in);
  if (width <= length) return in;
  const int64_t spaces = width - length;
  return padded(runtime, in, spaces / 2 + spaces % 2, spaces / 2);
}

Value ljust(Runtime& runtime, Value in, Value argument) {
  int64_t missing = 0;
  if (__builtin_sub_overflow(integerOf(argument), lengthOf(in), &missing)) {
    return runtime.limitFailure(Limit::kString);
  }
  return padded(runtime, in, 0, missing);
}

Value rjust(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  std::string format = "%";
  json::appendInteger(format, integerOf(argument));
  return text.failed() ? text : formatText(runtime, format + "s", text);
}

Value cut(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, argument);
  return text.failed() ? text : replaced(runtime, textOf(runtime, in), text.text(), {});
}

// The context has no times.
Value date(Runtime& runtime, Value, Value) {
  return runtime.fail("filter input argument must be of type 'time.Time'");
}

Value defaultValue(Runtime&, Value in, Value argument) { return isTrue(in) ? in : argument; }

Value defaultIfNone(Runtime&, Value in, Value argument) { return in.isNone() ? argument : in; }

Value divisibleby(Runtime&, Value in, Value argument) {
  const int64_t divisor = integerOf(argument);
  if (divisor == 0) return Value::boolean(false);
  return Value::boolean(divisor == -1 || integerOf(in) % divisor == 0);
}

Value first(Runtime& runtime, Value in, Value) {
  return canSlice(in) && lengthOf(in) > 0 ? itemAt(runtime, in, 0) : Value::emptyString();
}

Value last(Runtime& runtime, Value in, Value) {
  if (!canSlice(in) || lengthOf(in) == 0) return Value::emptyString();
  return itemAt(runtime, in, lengthOf(in) - 1);
}

// The first item: a render gives the same text each time.
Value random(Runtime& runtime, Value in, Value) {
  return canSlice(in) && lengthOf(in) > 0 ? itemAt(runtime, in, 0) : in;
}

Value floatformat(Runtime& runtime, Value in, Value argument) {
  const double value = floatOf(in);
  int64_t decimals = argument.isNone() ? -1 : integerOf(argument);
  const bool trim = decimals <= 0 || !(isWhole(argument) || argument.isDouble());
  if (decimals < 0) decimals = -std::max(decimals, -std::numeric_limits<int64_t>::max());
  if (trim && static_cast<double>(toInteger(value)) == value) {
    return runtime.integer(integerOf(in));
  }
  const std::string format = "%." + std::to_string(decimals) + "f";
  return formatText(runtime, format, runtime.number(value));
}

// Counts bytes from the right.
Value getDigit(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const int64_t at = integerOf(argument);
  const std::string_view bytes = text.text();
  if (at <= 0 || static_cast<uint64_t>(at) > bytes.size()) return in;
  return runtime.integer(static_cast<uint8_t>(bytes[bytes.size() - static_cast<size_t>(at)] - 48));
}

Value join(Runtime& runtime, Value in, Value argument) {
  if (!canSlice(in)) return in;
  const Value separator = textOf(runtime, argument);
  if (separator.failed()) return separator;
  if (in.isString()) return joined(runtime, splitAt(runtime, in.text(), {}), separator.text());
  HeapVector<std::string_view> parts(runtime.heap);
  for (const Value item : in.asList().items()) {
    const Value text = textOf(runtime, item);
    if (text.failed() || !runtime.budget.spend()) return runtime.limitFailure();
    parts.add(text.text());
  }
  return joined(runtime, parts.span(), separator.text());
}

Value length(Runtime& runtime, Value in, Value) { return runtime.integer(lengthOf(in)); }

Value lengthIs(Runtime&, Value in, Value argument) {
  return Value::boolean(lengthOf(in) == integerOf(argument));
}

Value linebreaksbr(Runtime& runtime, Value in, Value) {
  return replaced(runtime, textOf(runtime, in), "\n", "<br />");
}

Value linenumbers(Runtime& runtime, Value in, Value) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  Text out(runtime);
  int64_t number = 0;
  for (const std::string_view line : splitAt(runtime, text.text(), "\n")) {
    std::string digits = number > 0 ? "\n" : "";
    json::appendInteger(digits, ++number);
    out.append(digits).append(". ").append(line);
  }
  return out.take();
}

template <text::Case kCase>
Value cased(Runtime& runtime, Value in, Value) {
  if (kCase == text::Case::kTitle && !in.isString()) return Value::emptyString();
  const Value text = textOf(runtime, in);
  if (text.failed() || !runtime.canClassify(text.text())) return Value::failure();
  std::string out;
  text::appendSimple(out, text.text(), kCase);
  return runtime.newString(out);
}

Value split(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  const Value separator = text.failed() ? text : textOf(runtime, argument);
  if (separator.failed()) return separator;
  return textsOf(runtime, splitAt(runtime, text.text(), separator.text()));
}

Value makeList(Runtime& runtime, Value in, Value) {
  return split(runtime, in, Value::emptyString());
}

Value phone2numeric(Runtime& runtime, Value in, Value) {
  constexpr std::string_view kDigits = "22233344455566677778889999";
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  std::string out(text.text());
  for (char& c : out) {
    const char lower = static_cast<char>(c | 0x20);
    if (lower >= 'a' && lower <= 'z') c = kDigits[static_cast<size_t>(lower - 'a')];
  }
  return runtime.newString(out);
}

Value pluralize(Runtime& runtime, Value in, Value argument) {
  if (!isWhole(in) && !in.isDouble()) {
    return runtime.fail("filter 'pluralize' does only work on numbers");
  }
  const bool plural = integerOf(in) != 1;
  if (lengthOf(argument) == 0) return runtime.string(plural ? "s" : "");
  const Value text = textOf(runtime, argument);
  if (text.failed()) return text;
  const Texts endings = splitAt(runtime, text.text(), ",");
  if (endings.size() > 2) return runtime.fail("too many arguments to filter 'pluralize'");
  if (endings.size() == 2) return runtime.string(endings[plural ? 1 : 0]);
  return runtime.string(plural ? endings[0] : "");
}

Value slice(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, argument);
  if (text.failed()) return text;
  const Texts bounds = splitAt(runtime, text.text(), ":");
  if (bounds.size() != 2) return runtime.fail("Slice string must have the format 'from:to'");
  if (!canSlice(in)) return in;
  const int64_t length = lengthOf(in);
  const auto bound = [&](std::string_view digits) {
    const int64_t at = integerOf(runtime.string(digits));
    return at < 0 ? std::max<int64_t>(length + at, 0) : at;
  };
  const int64_t from = std::min(bound(bounds[0]), length);
  const bool open = text::strip(bounds[1]).empty();
  const int64_t to = open ? length : std::min(std::max(bound(bounds[1]), from), length);
  return jinja::slice(runtime, unsafe(runtime, in), runtime.integer(from), runtime.integer(to), {});
}

Value stringformat(Runtime& runtime, Value in, Value argument) {
  const Value format = textOf(runtime, argument);
  return format.failed() ? format : formatText(runtime, format.text(), in);
}

Value truncatechars(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const int64_t length = integerOf(argument);
  if (length >= lengthOf(text)) return unsafe(runtime, text);
  if (length < 0) return runtime.fail("slice bounds out of range");
  const auto kept = static_cast<size_t>(length >= 3 ? length - 3 : length);
  Text out(runtime);
  out.append(text.text().substr(0, codePointOffset(text.text(), kept)));
  return out.append(length >= 3 ? "..." : "").take();
}

Value truncatewords(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const int64_t count = integerOf(argument);
  if (count <= 0) return Value::emptyString();
  const Texts words = text::splitWords(runtime.heap, text.text());
  const bool more = static_cast<uint64_t>(count) < words.size();
  const Value kept = joined(runtime, more ? words.first(static_cast<size_t>(count)) : words, " ");
  return more ? add(runtime, kept, runtime.string(" ...")) : kept;
}

Value wordcount(Runtime& runtime, Value in, Value) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  return runtime.integer(static_cast<int64_t>(text::splitWords(runtime.heap, text.text()).size()));
}

// Puts `count` words on a line. pongo2 counts the lines wrongly, and fails where that matters.
Value wordwrap(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, in);
  if (text.failed()) return text;
  const int64_t count = integerOf(argument);
  if (count <= 0) return in;
  const Texts words = text::splitWords(runtime.heap, text.text());
  const auto size = static_cast<int64_t>(words.size());
  const int64_t lines = size / count + size % count;
  Text out(runtime);
  for (int64_t i = 0; i < lines; ++i) {
    if (i * count > size) return runtime.fail("slice bounds out of range");
    const auto from = static_cast<size_t>(i * count);
    const Texts line =
        words.subspan(from, std::min(static_cast<size_t>(count), words.size() - from));
    out.append(i > 0 ? "\n" : "").append(joined(runtime, line, " ").text());
  }
  return out.take();
}

Value yesno(Runtime& runtime, Value in, Value argument) {
  const Value text = textOf(runtime, argument);
  if (text.failed()) return text;
  std::array<std::string_view, 3> choices = {"yes", "no", "maybe"};
  if (!text.text().empty()) {
    const Texts given = splitAt(runtime, text.text(), ",");
    if (given.size() < 2 || given.size() > 3) {
      return runtime.fail("the filter 'yesno' takes 2 or 3 options");
    }
    std::copy(given.begin(), given.end(), choices.begin());
  }
  return runtime.string(choices[in.isNone() ? 2 : isTrue(in) ? 0 : 1]);
}

Value toFloat(Runtime& runtime, Value in, Value) { return runtime.number(floatOf(in)); }

Value toWhole(Runtime& runtime, Value in, Value) { return runtime.integer(integerOf(in)); }

constexpr Filter kFilters[] = {
    {"add", add},
    {"addslashes", addslashes},
    {"capfirst", capfirst},
    {"center", center},
    {"cut", cut},
    {"date", date},
    {"default", defaultValue},
    {"default_if_none", defaultIfNone},
    {"divisibleby", divisibleby},
    {"e", escapeFilter},
    {"escape", escapeFilter},
    {"escapejs", escapejs},
    {"first", first},
    {"float", toFloat},
    {"floatformat", floatformat},
    {"get_digit", getDigit},
    {"integer", toWhole},
    {"iriencode", iriencode},
    {"join", join},
    {"last", last},
    {"length", length},
    {"length_is", lengthIs},
    {"linebreaks", linebreaks},
    {"linebreaksbr", linebreaksbr},
    {"linenumbers", linenumbers},
    {"ljust", ljust},
    {"lower", cased<text::Case::kLower>},
    {"make_list", makeList},
    {"phone2numeric", phone2numeric},
    {"pluralize", pluralize},
    {"random", random},
    {"removetags", removetags},
    {"rjust", rjust},
    {"safe", safe},
    {"slice", slice},
    {"split", split},
    {"stringformat", stringformat},
    {"striptags", striptags},
    {"time", date},
    {"title", cased<text::Case::kTitle>},
    {"truncatechars", truncatechars},
    {"truncatechars_html", truncatecharsHtml},
    {"truncatewords", truncatewords},
    {"truncatewords_html", truncatewordsHtml},
    {"upper", cased<text::Case::kUpper>},
    {"urlencode", urlencode},
    {"urlize", urlize},
    {"urlizetrunc", urlizetrunc},
    {"wordcount", wordcount},
    {"wordwrap", wordwrap},
    {"yesno", yesno},
};

}  // namespace

const Filter* findFilter(std::string_view name) {
  for (const Filter& filter : kFilters) {
    if (filter.name == name) return &filter;
  }
  return nullptr;
}

}  // namespace strata::jinja::pongo2
