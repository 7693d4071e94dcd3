#include "jinja/repr.h"

#include <cmath>

#include "base/utf8.h"
#include "jinja/long_integer.h"
#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/text/characters.h"
#include "json/number.h"

namespace strata::jinja {
namespace {

void appendNonPrintable(std::string& out, uint32_t c) {
  out.push_back('\\');
  if (c == '\n' || c == '\r' || c == '\t') {
    out.push_back(c == '\n' ? 'n' : (c == '\r' ? 'r' : 't'));
  } else {
    text::appendEscapeCode(out, c);
  }
}

void appendStringRepr(std::string& out, std::string_view text) {
  const bool single = text.find('\'') != std::string_view::npos;
  const bool both = single && text.find('"') != std::string_view::npos;
  const char quote = single && !both ? '"' : '\'';
  out.push_back(quote);
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const uint32_t c = decodeUtf8(text, at);
    if (c == static_cast<uint32_t>(quote) || c == '\\') out.push_back('\\');
    if (text::isPrintable(c)) {
      out.append(text.substr(begin, at - begin));
    } else {
      appendNonPrintable(out, c);
    }
  }
  out.push_back(quote);
}

// The chain of containers being printed. A container inside itself prints as [...].
struct Enclosing {
  const void* container;
  const Enclosing* outer;
};

bool isInside(const Enclosing* outer, const void* container) {
  for (; outer != nullptr; outer = outer->outer) {
    if (outer->container == container) return true;
  }
  return false;
}

class Printer {
 public:
  Printer(Runtime& runtime, std::string& out) : runtime_(runtime), out_(out) {}

  bool print(Value value, const Enclosing* outer) {
    switch (value.type()) {
      case Type::kString:
        printString(value);
        return hasRoom();
      case Type::kUndefined:
        out_ += "Undefined";
        return true;
      case Type::kList:
        return items(value.asList(), '[', ']', outer);
      case Type::kTuple:
        return items(value.asList(), '(', ')', outer);
      case Type::kDict:
        return dict(value.asDict(), outer);
      case Type::kDictView:
        return view(value, outer);
      case Type::kNamespace:
        out_ += "<Namespace ";
        if (!dict(*value.asNamespace().members, outer)) return false;
        out_ += '>';
        return true;
      default:
        return appendText(runtime_, out_, value);
    }
  }

 private:
  void printString(Value value) {
    // Where the Budget ends, the render fails at its next check.
    runtime_.budget.examine(value.text().size());
    if (value.isSafe()) out_ += "Markup(";
    appendStringRepr(out_, value.text());
    if (value.isSafe()) out_ += ')';
  }

  bool enter(const Enclosing*& outer, Enclosing& inner) {
    inner.outer = outer;
    outer = &inner;
    if (++depth_ <= runtime_.budget.limits().valueDepth) return true;
    runtime_.limitFailure(Limit::kValueDepth);
    return false;
  }

  bool hasRoom() {
    const bool fits = out_.size() <= runtime_.budget.limits().output;
    if (!fits) runtime_.budget.exceed(Limit::kOutput);
    if (fits && runtime_.budget.spend()) return true;
    runtime_.limitFailure();
    return false;
  }

  bool items(List& list, char open, char close, const Enclosing* outer) {
    out_ += open;
    if (isInside(outer, &list)) {
      out_ += "...";
    } else {
      Enclosing inner{&list, nullptr};
      if (!enter(outer, inner) || !members(list, outer)) return false;
      if (open == '(' && list.size() == 1) out_ += ',';
      --depth_;
    }
    out_ += close;
    return true;
  }

  bool members(List& list, const Enclosing* outer) {
    bool first = true;
    for (const Value item : list.items()) {
      if (!first) out_ += ", ";
      first = false;
      if (!hasRoom() || !print(item, outer)) return false;
    }
    return true;
  }

  bool dict(Dict& dict, const Enclosing* outer) {
    out_ += '{';
    if (isInside(outer, &dict)) {
      out_ += "...";
    } else {
      Enclosing inner{&dict, nullptr};
      if (!enter(outer, inner)) return false;
      bool first = true;
      for (const Dict::Entry& entry : dict.entries()) {
        if (!first) out_ += ", ";
        first = false;
        if (!hasRoom() || !print(entry.key, outer)) return false;
        out_ += ": ";
        if (!print(entry.value, outer)) return false;
      }
      --depth_;
    }
    out_ += '}';
    return true;
  }

  bool view(Value value, const Enclosing* outer) {
    out_ += typeName(value);
    out_ += '(';
    List* list = toList(runtime_, value);
    if (list == nullptr || !items(*list, '[', ']', outer)) return false;
    out_ += ')';
    return true;
  }

  Runtime& runtime_;
  std::string& out_;
  uint32_t depth_ = 0;
};

void appendRange(std::string& out, const Range& range) {
  out += "range(";
  json::appendInteger(out, range.start);
  out += ", ";
  json::appendInteger(out, range.stop);
  if (range.step != 1) {
    out += ", ";
    json::appendInteger(out, range.step);
  }
  out += ')';
}

// Appends `{{ x }}`, as DebugUndefined restores the expression.
bool appendDebug(Runtime& runtime, std::string& out, Value value) {
  out += "{{ ";
  const Missing* missing = value.missing();
  if (missing == nullptr) {
    out += value.text();
  } else if (!missing->hint.empty()) {
    out += "undefined value printed: ";
    out += missing->hint;
  } else {
    out += "no such element: ";
    out += describeType(missing->object);
    out += '[';
    if (!appendRepr(runtime, out, missing->key)) return false;
    out += ']';
  }
  out += " }}";
  return true;
}

bool appendUndefined(Runtime& runtime, std::string& out, Value value) {
  switch (runtime.undefinedKind(value)) {
    case UndefinedKind::kStrict:
      runtime.undefinedFailure(value);
      return false;
    case UndefinedKind::kDebug:
      return appendDebug(runtime, out, value);
    default:
      return true;
  }
}

}  // namespace

bool appendText(Runtime& runtime, std::string& out, Value value) {
  switch (value.type()) {
    case Type::kFailure:
      return false;
    case Type::kString:
      out += value.text();
      return true;
    case Type::kInt:
    case Type::kLongInteger:
    case Type::kDouble:
      return appendNumber(runtime, out, value);
    case Type::kBool:
      out += value.asBool() ? "True" : "False";
      return true;
    case Type::kNone:
      out += "None";
      return true;
    case Type::kUndefined:
      return appendUndefined(runtime, out, value);
    case Type::kRange:
      appendRange(out, value.asRange());
      return true;
    case Type::kIterator:
      out += "<generator object>";
      return true;
    case Type::kObject:
      return appendObject(runtime, out, value.asObject());
    default:
      return appendRepr(runtime, out, value);
  }
}

bool appendRepr(Runtime& runtime, std::string& out, Value value) {
  return Printer(runtime, out).print(value, nullptr);
}

Value toText(Runtime& runtime, Value value) {
  if (value.isString()) return value;
  std::string out;
  return appendText(runtime, out, value) ? runtime.newString(out) : Value::failure();
}

Value toRepr(Runtime& runtime, Value value) {
  std::string out;
  return appendRepr(runtime, out, value) ? runtime.newString(out) : Value::failure();
}

void appendFloat(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::signbit(value)) out += '-';
  if (std::isinf(value)) {
    out += "inf";
    return;
  }
  const json::Decimal decimal = json::shortestDecimal(value);
  const auto count = static_cast<int>(decimal.digits.size());
  const int exponent = decimal.point - 1;
  if (count == 0) {
    out += "0.0";
  } else if (exponent < -4 || exponent >= 16) {
    out += decimal.digits[0];
    if (count > 1) (out += '.').append(decimal.digits, 1);
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    json::appendInteger(out, std::abs(exponent));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<size_t>(-decimal.point), '0').append(decimal.digits);
  } else if (count <= decimal.point) {
    out.append(decimal.digits).append(static_cast<size_t>(decimal.point - count), '0');
    out += ".0";
  } else {
    const auto point = static_cast<size_t>(decimal.point);
    out.append(decimal.digits, 0, point).append(".").append(decimal.digits, point);
  }
}

bool appendNumber(Runtime& runtime, std::string& out, Value number) {
  if (number.isLongInteger()) {
    if (isNegative(number)) out += '-';
    return appendMagnitude(runtime, out, number, 10);
  }
  if (number.isInteger()) {
    json::appendInteger(out, number.asInteger());
  } else {
    appendFloat(out, number.asDouble());
  }
  return true;
}

void appendEscaped(std::string& out, std::string_view text) {
  size_t from = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    std::string_view entity;
    switch (text[at]) {
      case '&':
        entity = "&amp;";
        break;
      case '<':
        entity = "&lt;";
        break;
      case '>':
        entity = "&gt;";
        break;
      case '\'':
        entity = "&#39;";
        break;
      case '"':
        entity = "&#34;";
        break;
      default:
        continue;
    }
    out.append(text.substr(from, at - from)).append(entity);
    from = at + 1;
  }
  out.append(text.substr(from));
}

bool hasHtml(Runtime& runtime, Value value) {
  if (value.isUndefined()) return runtime.undefinedKind(value) == UndefinedKind::kChainable;
  return value.isSafe() ||
         (value.is(Type::kObject) && value.asObject().kind == ObjectKind::kModule);
}

Value escape(Runtime& runtime, Value value) {
  if (value.isSafe()) return value;
  const Value text = toText(runtime, value);
  if (text.failed()) return text;
  if (hasHtml(runtime, value)) return runtime.string(text.text(), true);
  std::string out;
  appendEscaped(out, text.text());
  return runtime.newString(out, true);
}

}  // namespace strata::jinja
