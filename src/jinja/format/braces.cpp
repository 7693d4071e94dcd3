// Implements str.format(). As in Jinja2's sandbox, a format string can reach only the attributes
// and items that a template can reach itself.
#include <algorithm>
#include <string>

#include "base/utf8.h"
#include "jinja/format/conversion.h"
#include "jinja/methods/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool isAlign(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

// Parses [[fill]align][sign][#][0][width][grouping][.precision][type].
bool readSpec(std::string_view text, FormatSpec& spec) {
  size_t at = 0;
  const size_t fill = codePointOffset(text, 1);
  const bool filled = fill < text.size() && isAlign(text[fill]);
  if (filled) {
    spec.fill = text.substr(0, fill);
    spec.align = text[fill];
    at = fill + 1;
  } else if (!text.empty() && isAlign(text[0])) {
    spec.align = text[at++];
  }
  const auto take = [&](std::string_view characters) {
    if (at == text.size() || characters.find(text[at]) == kNone) return char{0};
    return text[at++];
  };
  spec.sign = take("+- ");
  spec.alternate = take("#") != 0;
  if (take("0") != 0 && !filled) spec.fill = "0";
  spec.width = readCount(text, at);
  spec.grouping = take(",_");
  if (take(".") != 0) {
    const size_t digits = at;
    spec.precision = readCount(text, at);
    if (at == digits) return false;
  }
  if (at < text.size()) spec.type = text[at++];
  return at == text.size();
}

class BraceFormatter {
 public:
  explicit BraceFormatter(Call& call)
      : call_(call), runtime_(call.runtime), safe_(call[0].isSafe()), out_(call.runtime) {}

  Value run() {
    std::string_view rest = call_[0].text();
    if (!runtime_.canExamine(rest)) return Value::failure();
    while (!out_.failed()) {
      const size_t brace = rest.find_first_of("{}");
      out_.append(rest.substr(0, brace));
      if (brace == kNone) return out_.take(safe_ || isMarkup_);
      const char c = rest[brace];
      rest.remove_prefix(brace + 1);
      if (!rest.empty() && rest[0] == c) {
        out_.append(c);
        rest.remove_prefix(1);
      } else if (c == '}') {
        return runtime_.fail("Single '}' encountered in format string");
      } else if (!field(rest)) {
        return Value::failure();
      }
    }
    return runtime_.limitFailure();
  }

 private:
  bool fail(const char* pattern, std::string_view part = {}) {
    runtime_.fail(pattern, part);
    return false;
  }

  // Formats one field and removes it with its closing brace from `rest`.
  bool field(std::string_view& rest) {
    size_t depth = 1;
    size_t end = 0;
    for (; end < rest.size(); ++end) {
      if (rest[end] == '{') ++depth;
      if (rest[end] == '}' && --depth == 0) break;
    }
    if (end == rest.size()) return fail("expected '}' before end of string");
    std::string_view inside = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    isLast_ = rest.empty();
    const size_t nameEnd = std::min(inside.find_first_of("!:"), inside.size());
    Value value;
    if (!argument(inside.substr(0, nameEnd), value)) return false;
    inside.remove_prefix(nameEnd);
    if (inside.starts_with('!')) {
      if (inside.size() < 2 || (inside.size() > 2 && inside[2] != ':')) {
        return fail("expected ':' after conversion specifier");
      }
      if (!convert(inside[1], value)) return false;
      inside.remove_prefix(2);
    }
    std::string spec;
    if (inside.starts_with(':') && !expand(inside.substr(1), spec)) return false;
    return append(value, spec);
  }

  // Evaluates a name or number, followed by any number of `.attribute` and `[item]`.
  bool argument(std::string_view field, Value& out) {
    const size_t nameEnd = std::min(field.find_first_of(".["), field.size());
    if (!named(field.substr(0, nameEnd), out)) return false;
    field.remove_prefix(nameEnd);
    while (!field.empty()) {
      const bool item = field[0] == '[';
      field.remove_prefix(1);
      const size_t end = std::min(field.find_first_of(item ? "]" : ".["), field.size());
      if (end == 0 || (item && end == field.size()))
        return fail("Empty attribute in format string");
      const std::string_view name = field.substr(0, end);
      field.remove_prefix(item ? end + 1 : end);
      const Value object = out;
      out = item ? getItem(runtime_, out, key(name)) : getAttribute(runtime_, out, name);
      if (out.failed()) return false;
      // A field may hold an undefined value, but must exist.
      const Missing* missing = out.isUndefined() ? out.missing() : nullptr;
      if (missing == nullptr || missing->insecure || !missing->object.identical(object)) continue;
      return fail("a format field names nothing: {}", name);
    }
    return true;
  }

  Value key(std::string_view name) {
    size_t at = 0;
    const int64_t number = readCount(name, at);
    return at == name.size() ? runtime_.integer(number) : runtime_.string(name);
  }

  bool named(std::string_view name, Value& out) {
    size_t at = 0;
    const int64_t number = readCount(name, at);
    if (at == name.size()) return numbered(name.empty(), static_cast<size_t>(number), out);
    for (const NamedValue& given : call_.named()) {
      if (given.name != name) continue;
      out = given.value;
      return true;
    }
    return fail("'{}'", name);
  }

  bool numbered(bool automatic, size_t index, Value& out) {
    if (numbering_ == (automatic ? Numbering::kManual : Numbering::kAutomatic)) {
      return fail("cannot switch between manual and automatic field numbering");
    }
    numbering_ = automatic ? Numbering::kAutomatic : Numbering::kManual;
    if (automatic) index = next_++;
    if (index >= call_.rest().size()) return fail("Replacement index out of range");
    out = call_.rest()[index];
    return true;
  }

  bool convert(char conversion, Value& value) {
    if (conversion == 's') {
      value = toText(runtime_, value);
      if (value.isSafe()) value = runtime_.string(value.text());
    } else if (conversion == 'r' || conversion == 'a') {
      value = toRepr(runtime_, value);
      if (conversion == 'a' && value.isString()) value = toAscii(runtime_, value);
    } else {
      return fail("Unknown conversion specifier");
    }
    return !value.failed();
  }

  // Expands the fields inside of a specification: "{:{}}".
  bool expand(std::string_view text, std::string& out) {
    for (;;) {
      const size_t open = text.find('{');
      out.append(text.substr(0, open));
      if (open == kNone) return true;
      const size_t close = text.find('}', open);
      if (close == kNone) return fail("expected '}' before end of string");
      Value value;
      if (!argument(text.substr(open + 1, close - open - 1), value)) return false;
      if (!appendText(runtime_, out, value)) return false;
      text.remove_prefix(close + 1);
    }
  }

  bool append(Value value, std::string_view text) {
    FormatSpec spec;
    if (!readSpec(text, spec)) return fail("Invalid format specifier");
    if (safe_ && value.isSafe() && !text.empty()) {
      return fail("Unsupported format specification for Markup.");
    }
    if (!runtime_.budget.string(static_cast<uint64_t>(spec.width))) {
      return !runtime_.limitFailure().failed();
    }
    if (text.empty() || value.isString()) {
      const bool isFirst = out_.view().empty();
      if (!appendString(value, spec)) return false;
      // CPython returns the object itself if a single field with a specification is all of the
      // text.
      isMarkup_ = isFirst && isLast_ && !text.empty() && value.isSafe() &&
                  out_.view().size() == value.text().size();
      return true;
    }
    if (!value.isNumber()) {
      return fail("unsupported format string passed to {}.__format__", typeName(value));
    }
    if (spec.sign == '-') spec.sign = 0;
    return value.isDouble() ? appendFloating(value, spec) : appendWhole(value, spec);
  }

  bool appendString(Value value, FormatSpec spec) {
    if ((spec.type != 0 && spec.type != 's') || spec.sign != 0 || spec.grouping != 0) {
      return fail("Invalid format specifier for object of type 'str'");
    }
    if (spec.align == '=') {
      return fail("'=' alignment not allowed in string format specifier");
    }
    const Value shown = toText(runtime_, value);
    if (shown.failed()) return false;
    std::string_view view = shown.text();
    if (spec.precision >= 0) {
      view = view.substr(0, codePointOffset(view, static_cast<size_t>(spec.precision)));
    }
    if (!safe_) {
      appendPadded(out_, spec, view);
      return true;
    }
    // Markup is escaped after padding.
    Text padded(runtime_);
    appendPadded(padded, spec, view);
    const Value escaped = escape(runtime_, padded.take(value.isSafe()));
    if (!escaped.failed()) out_.append(escaped.text());
    return !escaped.failed();
  }

  bool appendWhole(Value value, FormatSpec& spec) {
    constexpr std::string_view kFloatTypes = "eEfFgG%";
    if (kFloatTypes.find(spec.type) != kNone && spec.type != 0) {
      return appendDouble(runtime_, out_, spec, value);
    }
    if (spec.precision >= 0) return fail("Precision not allowed in integer format specifier");
    if (spec.type == 'c') {
      int64_t code = 0;
      clampToInteger(value, code);
      if (code < 0 || code > 0x10FFFF) return fail("%c arg not in range(0x110000)");
      std::string one;
      appendUtf8(one, static_cast<uint32_t>(code));
      if (spec.align == 0) spec.align = '>';
      appendPadded(out_, spec, one);
      return true;
    }
    constexpr std::string_view kTypes = "bdnoxX";
    if (spec.type == 0) spec.type = 'd';
    if (kTypes.find(spec.type) == kNone) {
      return fail("Unknown format code for object of type 'int'");
    }
    return appendInteger(runtime_, out_, spec, value);
  }

  bool appendFloating(Value value, FormatSpec& spec) {
    constexpr std::string_view kTypes = "eEfFgGn%";
    if (spec.type == 0) return appendShortest(value.asDouble(), spec);
    if (kTypes.find(spec.type) == kNone) {
      return fail("Unknown format code for object of type 'float'");
    }
    if (spec.type == 'n') spec.type = 'g';
    return appendDouble(runtime_, out_, spec, value);
  }

  // Formats a float without a type: its repr, or the given number of digits, always with a point.
  bool appendShortest(double value, FormatSpec& spec) {
    std::string digits;
    const bool negative = value < 0 || (value == 0 && 1 / value < 0);
    if (spec.precision < 0) {
      appendFloat(digits, negative ? -value : value);
    } else {
      if (!runtime_.budget.string(static_cast<uint64_t>(spec.precision))) {
        return !runtime_.limitFailure().failed();
      }
      digits = formatDouble(value, 'g', static_cast<int>(spec.precision), false);
      if (digits.find_first_not_of("0123456789") == kNone) digits += ".0";
    }
    appendNumber(out_, spec, negative, {}, digits);
    return true;
  }

  enum class Numbering : uint8_t { kUnknown, kAutomatic, kManual };

  Call& call_;
  Runtime& runtime_;
  bool safe_;
  Text out_;
  Numbering numbering_ = Numbering::kUnknown;
  size_t next_ = 0;
  bool isLast_ = false;
  bool isMarkup_ = false;
};

}  // namespace

Value formatBraces(Call& call) { return BraceFormatter(call).run(); }

}  // namespace strata::jinja
