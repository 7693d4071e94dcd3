// Implements the three forms of the filter tojson, which are json.dumps with different arguments.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/utf8.h"
#include "jinja/filters/sorting.h"
#include "jinja/filters/tables.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "json/number.h"
#include "json/string.h"

namespace strata::jinja {
namespace {

struct Settings {
  bool ascii = false;
  bool html = false;
  bool sorted = false;
  bool indented = false;
  /// Refuses NaN and Infinity, which JSON lacks and Python's json.dumps writes.
  bool finite = false;
  std::string_view indent;
  std::string_view itemSeparator = ", ";
  std::string_view keySeparator = ": ";
};

class Dumper {
 public:
  Dumper(Runtime& runtime, const Settings& settings)
      : runtime_(runtime), settings_(settings), out_(runtime) {}

  Value run(Value value, bool safe) { return dump(value) ? out_.take(safe) : Value::failure(); }

 private:
  bool dump(Value value) {
    if (out_.failed() || !runtime_.budget.spend(1 + weightOf(value) / 8)) {
      runtime_.limitFailure();
      return false;
    }
    switch (value.type()) {
      case Type::kString:
        string(value.text());
        return true;
      case Type::kNone:
      case Type::kBool:
      case Type::kInt:
      case Type::kLongInteger:
      case Type::kDouble:
        return scalar(value);
      case Type::kList:
      case Type::kTuple:
        return list(value.asList());
      case Type::kDict:
        return dict(value.asDict());
      default:
        runtime_.fail("Object of type {} is not JSON serializable", value);
        return false;
    }
  }

  bool scalar(Value value) {
    std::string text;
    const double number = value.isDouble() ? value.asDouble() : 0;
    if (settings_.finite && !std::isfinite(number)) {
      runtime_.fail("Out of range float values are not JSON compliant");
      return false;
    }
    if (value.isNone()) {
      text = "null";
    } else if (value.isBool()) {
      text = value.asBool() ? "true" : "false";
    } else if (std::isnan(number)) {
      text = "NaN";
    } else if (std::isinf(number)) {
      text = number < 0 ? "-Infinity" : "Infinity";
    } else if (!appendNumber(runtime_, text, value)) {
      return false;
    }
    out_.append(text);
    return true;
  }

  static bool isHtml(char c) { return c == '<' || c == '>' || c == '&' || c == '\''; }

  // Unescaped bytes are copied in runs.
  void string(std::string_view text) {
    out_.append('"');
    size_t from = 0;
    for (size_t at = 0; at < text.size();) {
      const auto byte = static_cast<unsigned char>(text[at]);
      const bool escaped = byte < 0x20 || byte == '"' || byte == '\\' ||
                           (settings_.html && isHtml(text[at])) ||
                           (settings_.ascii && byte >= 0x7F);
      if (!escaped) {
        ++at;
        continue;
      }
      out_.append(text.substr(from, at - from));
      appendEscape(decodeUtf8(text, at));
      from = at;
    }
    out_.append(text.substr(from)).append('"');
  }

  void appendEscape(uint32_t c) {
    if (c < 0x20 || c == '"' || c == '\\') {
      std::string escaped;
      const char byte = static_cast<char>(c);
      if (c == '\b' || c == '\f') {
        escaped = c == '\b' ? "\\b" : "\\f";
      } else {
        json::appendEscaped(escaped, {&byte, 1});
      }
      out_.append(escaped);
    } else if (c < 0x10000) {
      appendUnit(c);
    } else {
      appendUnit(0xD800 + ((c - 0x10000) >> 10U));
      appendUnit(0xDC00 + ((c - 0x10000) & 0x3FFU));
    }
  }

  void appendUnit(uint32_t unit) {
    out_.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out_.append("0123456789abcdef"[unit >> static_cast<unsigned>(shift) & 15U]);
    }
  }

  bool enter() {
    if (++depth_ <= runtime_.budget.limits().valueDepth) return true;
    runtime_.limitFailure(Limit::kValueDepth);
    return false;
  }

  void newLine() {
    if (!settings_.indented) return;
    out_.append('\n').repeat(settings_.indent, depth_);
  }

  void separate(bool first) {
    if (!first) out_.append(settings_.itemSeparator);
    newLine();
  }

  bool list(List& list) {
    out_.append('[');
    if (!enter()) return false;
    bool first = true;
    for (const Value item : list.items()) {
      separate(first);
      first = false;
      if (!dump(item)) return false;
    }
    --depth_;
    if (!first) newLine();
    out_.append(']');
    return true;
  }

  bool key(Value key) {
    if (key.isString()) {
      string(key.text());
      return true;
    }
    if (!key.isNone() && !key.isNumber()) {
      runtime_.fail("keys must be str, int, float, bool or None, not {}", key);
      return false;
    }
    out_.append('"');
    if (!scalar(key)) return false;
    out_.append('"');
    return true;
  }

  bool member(const Dict::Entry& entry) {
    if (!key(entry.key)) return false;
    out_.append(settings_.keySeparator);
    return dump(entry.value);
  }

  bool dict(Dict& dict) {
    out_.append('{');
    const uint32_t* positions = settings_.sorted ? sorted(dict) : nullptr;
    if (!enter() || (settings_.sorted && positions == nullptr)) return false;
    const auto entries = dict.entries();
    for (size_t i = 0; i < entries.size(); ++i) {
      separate(i == 0);
      if (!member(entries[positions != nullptr ? positions[i] : i])) return false;
    }
    --depth_;
    if (!entries.empty()) newLine();
    out_.append('}');
    return true;
  }

  uint32_t* sorted(Dict& dict) {
    List* keys = runtime_.makeList();
    for (const Dict::Entry& entry : dict.entries()) keys->append(entry.key);
    return sortedPositions(runtime_, keys->items(), isLess);
  }

  Runtime& runtime_;
  Settings settings_;
  Text out_;
  uint32_t depth_ = 0;
};

// Reads `indent`: a string or a number of spaces, or None for a single line.
bool readIndent(Call& call, size_t at, Settings& settings) {
  if (!call.has(at) || call[at].isNone()) return true;
  settings.indented = true;
  settings.itemSeparator = ",";
  if (call[at].isString()) {
    settings.indent = call[at].text();
    return true;
  }
  int64_t width = 0;
  if (call[at].isUndefined()) return !call.runtime.undefinedFailure(call[at]).failed();
  if (!call.integer(at, width)) return false;
  Text spaces(call.runtime);
  spaces.repeat(" ", static_cast<uint64_t>(std::max<int64_t>(width, 0)));
  const Value text = spaces.take();
  if (text.isString()) settings.indent = text.text();
  return text.isString();
}

Value htmlSafe(Call& call) {
  Settings settings;
  settings.ascii = settings.html = settings.sorted = true;
  if (!readIndent(call, 1, settings)) return Value::failure();
  return Dumper(call.runtime, settings).run(call[0], true);
}

Value plain(Call& call) { return Dumper(call.runtime, Settings()).run(call[0], false); }

// Reads `separators`, such as (", ", ": ").
bool readSeparators(Call& call, Settings& settings) {
  if (!call.has(3) || call[3].isNone()) return true;
  List* pair = toList(call.runtime, call[3]);
  if (pair == nullptr) return false;
  const auto items = pair->items();
  if (items.size() != 2 || !items[0].isString() || !items[1].isString()) {
    call.runtime.fail("separators must be two strings");
    return false;
  }
  settings.itemSeparator = items[0].text();
  settings.keySeparator = items[1].text();
  return true;
}

Value transformers(Call& call) {
  Settings settings;
  const bool bound = call.truth(1, settings.ascii) && readIndent(call, 2, settings) &&
                     readSeparators(call, settings) && call.truth(4, settings.sorted);
  return bound ? Dumper(call.runtime, settings).run(call[0], false) : Value::failure();
}

constexpr Builtin kForms[] = {
    {"tojson value indent?", htmlSafe},
    {"tojson v", plain},
    {"tojson x ensure_ascii? indent? separators? sort_keys?", transformers},
};

constexpr Builtin kRows[] = {
    {"pprint value", pprintFilter},
    {"tojson value *args **kwargs", tojsonFilter},
};

}  // namespace

// The form, and with it the parameters, is an option of the template.
Value tojsonFilter(Call& call) {
  const Builtin& form = kForms[static_cast<size_t>(call.runtime.options.tojson)];
  return invoke(call.runtime, form, call[0], {call.rest(), call.named()});
}

Value toJson(Runtime& runtime, Value value) {
  Settings settings;
  settings.itemSeparator = ",";
  settings.keySeparator = ":";
  settings.finite = true;
  return Dumper(runtime, settings).run(value, false);
}

std::span<const Builtin> jsonFilters() { return kRows; }

}  // namespace strata::jinja
