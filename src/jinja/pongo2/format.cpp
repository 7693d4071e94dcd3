// Formats values and times as Go's packages fmt and time do.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "jinja/format/conversion.h"
#include "jinja/heap_vector.h"
#include "jinja/ops.h"
#include "jinja/pongo2/filters.h"
#include "jinja/pongo2/values.h"
#include "jinja/strftime.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {
namespace {

/// A verb such as %-8.3f.
struct Verb {
  FormatSpec spec;
  std::string_view letter;
};

class Formatter {
 public:
  Formatter(Runtime& runtime, const Verb& verb) : runtime_(runtime), verb_(verb), out_(runtime) {}

  Value run(Value value) {
    append(value, 0);
    return out_.take();
  }

 private:
  bool is(std::string_view letters) const {
    return letters.find(verb_.letter) != std::string_view::npos;
  }

  void padded(std::string_view text) {
    FormatSpec spec = verb_.spec;
    if (spec.align == 0) spec.align = '>';
    appendPadded(out_, spec, text);
  }

  // What %T prints.
  static std::string typeName(Value value) {
    return (isPointer(value) ? "*" : "") + std::string(goType(value));
  }

  // %!d(string=text)
  void refuse(Value value) {
    out_.append("%!").append(verb_.letter).append("(");
    if (value.isNone() && !isPointer(value)) {
      out_.append("<nil>");
    } else {
      Verb plain = verb_;
      plain.letter = "v";
      out_.append(typeName(value)).append('=');
      out_.append(Formatter(runtime_, plain).run(value).text());
    }
    out_.append(')');
  }

  void append(Value value, uint32_t depth) {
    if (depth > runtime_.budget.limits().valueDepth || !runtime_.budget.spend()) {
      runtime_.limitFailure(Limit::kValueDepth);
      return;
    }
    if (value.isNone() && depth > 0) {
      out_.append("<nil>");
    } else if (is("T")) {
      padded(typeName(value));
    } else if (isObject(value, ObjectKind::kCycler) && is("vs")) {
      const Value text = textOf(runtime_, value);
      if (!text.failed()) simple(text);
    } else if (value.isSequence() || entriesOf(value) != nullptr) {
      container(value, depth + 1);
    } else if (isWhole(value) && is("vdboxX")) {
      FormatSpec spec = verb_.spec;
      spec.type = is("v") ? 'd' : verb_.letter[0];
      appendInteger(runtime_, out_, spec, value);
    } else if (value.isDouble() && is("veEfFgG")) {
      number(value.asDouble());
    } else if (is(value.isString() ? "vs" : value.isBool() ? "vt" : "v")) {
      simple(value);
    } else {
      refuse(value);
    }
  }

  // The precision of a string is the number of characters that are kept.
  void simple(Value value) {
    if (value.isBool()) return padded(value.asBool() ? "true" : "false");
    if (!value.isString()) return padded("<nil>");
    std::string_view text = value.text();
    if (verb_.spec.precision >= 0) {
      text = text.substr(0, codePointOffset(text, static_cast<size_t>(verb_.spec.precision)));
    }
    padded(text);
  }

  void number(double number) {
    FormatSpec spec = verb_.spec;
    spec.type = is("v") ? 'g' : verb_.letter[0];
    if (std::isfinite(number) && !(spec.precision < 0 && is("vgG"))) {
      appendDouble(runtime_, out_, spec, runtime_.number(number));
      return;
    }
    std::string digits = std::isnan(number) ? "NaN" : "Inf";
    if (std::isfinite(number)) digits = shortest(std::fabs(number));
    if (!std::isfinite(number)) spec.fill = " ";
    if (std::isinf(number) && spec.sign == 0) spec.sign = '+';
    spec.type = 'f';
    appendNumber(out_, spec, std::signbit(number) && !std::isnan(number), {}, digits);
  }

  // Returns the fewest digits that read back as `number`, with an exponent from 21 digits on.
  std::string shortest(double number) const {
    const json::Decimal decimal = json::shortestDecimal(number);
    const int exponent = decimal.digits.empty() ? 0 : decimal.point - 1;
    const auto count = static_cast<int>(std::max<size_t>(decimal.digits.size(), 1));
    const bool scientific = exponent < -4 || exponent >= 21;
    const char type = static_cast<char>((scientific ? 'e' : 'f') - (is("G") ? 32 : 0));
    return formatDouble(number, type, scientific ? count - 1 : std::max(count - 1 - exponent, 0),
                        false);
  }

  void container(Value value, uint32_t depth) {
    Dict* entries = entriesOf(value);
    const bool isMap = entries != nullptr;
    out_.append(isMap ? "map[" : "[");
    bool first = true;
    const auto add = [&](Value key, Value item) {
      if (!first) out_.append(' ');
      first = false;
      if (isMap) append(key, depth);
      if (isMap) out_.append(':');
      append(item, depth);
    };
    if (isMap) {
      for (const Value key : sortedKeys(runtime_, *entries)->items()) {
        add(key, *entries->find(key.text()));
      }
    } else {
      for (const Value each : value.asList().items()) add({}, each);
    }
    out_.append(']');
  }

  Runtime& runtime_;
  const Verb& verb_;
  Text out_;
};

// Reads the flags, width, precision and letter after a percent sign. Returns false at the end.
bool readVerb(std::string_view format, size_t& at, Verb& verb) {
  FormatSpec& spec = verb.spec;
  for (; at < format.size(); ++at) {
    const char c = format[at];
    if (c == '-') {
      spec.align = '<';
      spec.fill = " ";
    } else if (c == '0' && spec.align != '<') {
      spec.fill = "0";
    } else if (c == '+' || (c == ' ' && spec.sign == 0)) {
      spec.sign = c;
    } else if (c == '#') {
      spec.alternate = true;
    } else if (c != '0') {
      break;
    }
  }
  spec.width = readCount(format, at);
  if (at < format.size() && format[at] == '.') spec.precision = readCount(format, ++at);
  if (at >= format.size()) return false;
  verb.letter = format.substr(at, codePointOffset(format.substr(at), 1));
  at += verb.letter.size();
  if (verb.letter == "v" && spec.sign == '+') spec.sign = 0;
  return true;
}

}  // namespace

void sortTexts(Runtime& runtime, std::span<Value> values) {
  HeapVector<std::string_view> texts(runtime.heap);
  for (const Value value : values) texts.add(value.text());
  sortByName(texts.span());
  for (size_t i = 0; i < values.size(); ++i) values[i] = runtime.string(texts[i]);
}

List* sortedKeys(Runtime& runtime, Dict& dict) {
  List* keys = runtime.makeList();
  for (const Dict::Entry& entry : dict.entries()) keys->append(entry.key);
  sortTexts(runtime, keys->items());
  return keys;
}

Value formatText(Runtime& runtime, std::string_view format, Value value) {
  Text out(runtime);
  bool used = false;
  for (size_t at = 0; at < format.size() && !out.failed();) {
    const size_t plain = std::min(format.find('%', at), format.size());
    out.append(format.substr(at, plain - at));
    at = plain + 1;
    if (plain == format.size()) break;
    Verb verb;
    if (!readVerb(format, at, verb)) {
      out.append("%!(NOVERB)");
    } else if (verb.letter == "%") {
      out.append('%');
    } else if (used) {
      out.append("%!").append(verb.letter).append("(MISSING)");
    } else {
      const Value text = Formatter(runtime, verb).run(value);
      if (text.failed()) return text;
      out.append(text.text());
      used = true;
    }
  }
  if (used) return out.take();
  Verb plain;
  plain.letter = "v";
  const Value text = Formatter(runtime, plain).run(value);
  if (text.failed()) return text;
  out.append("%!(EXTRA ");
  if (!value.isNone()) out.append(goType(value)).append('=');
  return out.append(text.text()).append(')').take();
}

// Translates the layout to one of strftime, longer names first.
Value formatLayout(Runtime& runtime, std::string_view layout, std::string_view now) {
  static constexpr std::array<std::array<std::string_view, 2>, 26> kNames = {
      {{"January", "%B"}, {"Jan", "%b"},   {"Monday", "%A"}, {"Mon", "%a"}, {"MST", "%Z"},
       {"2006", "%Y"},    {"-0700", "%z"}, {"002", "%j"},    {"01", "%m"},  {"02", "%d"},
       {"03", "%I"},      {"04", "%M"},    {"05", "%S"},     {"06", "%y"},  {"15", "%H"},
       {"_2", "%e"},      {"PM", "%p"},    {"1", "%-m"},     {"2", "%-d"},  {"3", "%-I"},
       {"4", "%-M"},      {"5", "%-S"},    {"%", "%%"}}};
  std::string format;
  for (size_t at = 0; at < layout.size();) {
    const std::string_view rest = layout.substr(at);
    const auto* found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& row) {
      return !row[0].empty() && rest.substr(0, row[0].size()) == row[0];
    });
    format += found == kNames.end() ? rest.substr(0, 1) : (*found)[1];
    at += found == kNames.end() ? 1 : (*found)[0].size();
  }
  return formatTime(runtime, format, now);
}

}  // namespace strata::jinja::pongo2
