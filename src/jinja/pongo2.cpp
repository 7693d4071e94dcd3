#include "jinja/pongo2.h"

#include <algorithm>
#include <array>
#include <string>

#include "jinja/builtin.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {
namespace {

// value|add:n: adds numbers and concatenates anything else.
Value add(Call& call) {
  if (call[0].isNumber() && call[1].isNumber()) {
    return binary(call.runtime, Operator::kAdd, call[0], call[1]);
  }
  const Value left = pongo2::toText(call.runtime, call[0]);
  const Value right = left.failed() ? left : pongo2::toText(call.runtime, call[1]);
  return right.failed() ? right : binary(call.runtime, Operator::kAdd, left, right);
}

Value capfirst(Call& call) {
  const Value text = pongo2::toText(call.runtime, call[0]);
  if (text.failed() || text.text().empty()) return text;
  const size_t first = codePointOffset(text.text(), 1);
  const Value upper =
      call.runtime.applyFilter("upper", call.runtime.string(text.text().substr(0, first)), {});
  if (upper.failed()) return upper;
  return concatenate(call.runtime, upper, call.runtime.string(text.text().substr(first)));
}

Value cut(Call& call) {
  const Value arguments[] = {call[1], Value::emptyString()};
  return call.runtime.applyFilter("replace", call[0], {arguments, {}});
}

Value defaultIfNone(Call& call) {
  return call[0].isNone() || call[0].isUndefined() ? call[1] : call[0];
}

// In pongo2, `default` replaces every false value.
Value defaultValue(Call& call) {
  const Tristate condition = truth(call.runtime, call[0]);
  if (condition == Tristate::kFailed) return Value::failure();
  return condition == Tristate::kYes ? call[0] : call[1];
}

Value split(Call& call) {
  const Value method = jinja::getAttribute(call.runtime, call[0], "split");
  const Value argument[] = {call[1]};
  return method.failed() ? method : call.runtime.call(method, {argument, {}});
}

Value truncatechars(Call& call) {
  int64_t length = 0;
  std::string_view text;
  if (!call.text(0, text) || !call.integer(1, length)) return Value::failure();
  if (length < 0 || codePoints(text) <= static_cast<uint64_t>(length)) return call[0];
  const auto keptLength = static_cast<size_t>(std::max<int64_t>(length - 3, 0));
  return concatenate(call.runtime,
                     call.runtime.string(text.substr(0, codePointOffset(text, keptLength))),
                     call.runtime.string("..."));
}

constexpr Builtin kFilters[] = {
    {"add value amount", add},
    {"capfirst value", capfirst},
    {"cut value text", cut},
    {"default value otherwise", defaultValue},
    {"default_if_none value otherwise", defaultIfNone},
    {"split value separator", split},
    {"truncatechars value length", truncatechars},
};

// Filters that both languages have, by pongo2's name and Jinja2's name.
struct Alias {
  std::string_view name;
  std::string_view jinja;
};
constexpr Alias kAliases[] = {
    {"center", "center"},       {"e", "escape"},
    {"escape", "escape"},       {"first", "first"},
    {"float", "float"},         {"integer", "int"},
    {"join", "join"},           {"last", "last"},
    {"length", "length"},       {"lower", "lower"},
    {"random", "random"},       {"safe", "safe"},
    {"string", "string"},       {"striptags", "striptags"},
    {"title", "title"},         {"upper", "upper"},
    {"urlencode", "urlencode"}, {"wordcount", "wordcount"},
};

}  // namespace

bool isKeyword(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords = {"in", "and", "or", "not", "as", "export"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

const Builtin* findFilter(std::string_view name) {
  if (const Builtin* row = findIn(kFilters, name)) return row;
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return jinja::findFilter(alias.jinja);
  }
  return nullptr;
}

std::string_view templateTag(std::string_view name) {
  constexpr Alias kTags[] = {
      {"openblock", "{%"}, {"closeblock", "%}"}, {"openvariable", "{{"}, {"closevariable", "}}"},
      {"openbrace", "{"},  {"closebrace", "}"},  {"opencomment", "{#"},  {"closecomment", "#}"},
  };
  for (const Alias& tag : kTags) {
    if (tag.name == name) return tag.jinja;
  }
  return {};
}

bool isContextKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Value toText(Runtime& runtime, Value value) {
  switch (value.type()) {
    case Type::kNone:
    case Type::kUndefined:
      return Value::emptyString();
    case Type::kList:
    case Type::kTuple:
      return runtime.string("<[]interface {} Value>", true);
    case Type::kDict:
      return runtime.string("<map[string]interface {} Value>", true);
    case Type::kDouble: {
      const Value argument[] = {value};
      return runtime.applyFilter("format", runtime.string("%f"), {argument, {}});
    }
    default:
      return jinja::toText(runtime, value);
  }
}

Value getAttribute(Runtime& runtime, Value object, std::string_view name) {
  if (object.is(Type::kDict)) {
    const Value* member = object.asDict().find(name);
    return member == nullptr ? runtime.undefined(name) : *member;
  }
  if (object.isString() || object.isNumber() || object.isSequence()) {
    return runtime.fail("can't access a field by name on type {}", object);
  }
  return object.isNone() ? runtime.undefined(name) : jinja::getAttribute(runtime, object, name);
}

Value toIterable(Runtime& runtime, Value value, bool pairs) {
  if (value.isNone() || value.isNumber()) return Value::tuple(runtime.makeList());
  if (!value.is(Type::kDict)) return value;
  return runtime.applyFilter(pairs ? "dictsort" : "sort", value, {});
}

Value escape(Runtime& runtime, std::string_view text) {
  Text out(runtime);
  for (char c : text) {
    switch (c) {
      case '&':
        out.append("&amp;");
        break;
      case '<':
        out.append("&lt;");
        break;
      case '>':
        out.append("&gt;");
        break;
      case '"':
        out.append("&quot;");
        break;
      case '\'':
        out.append("&#39;");
        break;
      default:
        out.append(c);
    }
  }
  return out.take(true);
}

}  // namespace strata::jinja::pongo2
