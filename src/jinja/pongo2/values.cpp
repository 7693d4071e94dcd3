#include "jinja/pongo2/values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/ascii.h"
#include "base/utf8.h"
#include "jinja/format/number_format.h"
#include "jinja/long_integer.h"
#include "jinja/ops.h"
#include "jinja/text/search.h"
#include "json/number.h"

namespace strata::jinja::pongo2 {
namespace {

constexpr std::array<std::string_view, 7> kLoopFields = {
    "Counter", "Counter0", "Revcounter", "Revcounter0", "First", "Last", "Parentloop"};

bool isLoopField(std::string_view name) {
  return std::find(kLoopFields.begin(), kLoopFields.end(), name) != kLoopFields.end();
}

Tristate tristate(bool yes) { return yes ? Tristate::kYes : Tristate::kNo; }

bool isDigit(std::string_view text, size_t at) {
  return at < text.size() && ascii::isDigit(text[at]);
}

// Returns a number without the underscores between its digits, or "" where one is elsewhere.
std::string withoutUnderscores(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '_') {
      out += text[at];
    } else if (at == 0 || !isDigit(text, at - 1) || !isDigit(text, at + 1)) {
      return {};
    }
  }
  return out;
}

// strconv.ParseFloat without hexadecimal numbers. Returns 0 for what is no number.
double parseFloat(std::string_view text) {
  const bool plain = text.find('_') == std::string_view::npos;
  if (const auto number = json::readDouble(plain ? text : withoutUnderscores(text)))
    return std::isinf(*number) ? 0 : *number;
  const bool negative = text.substr(0, 1) == "-";
  const bool isSigned = negative || text.substr(0, 1) == "+";
  std::string lower(text.substr(isSigned ? 1 : 0, sizeof("infinity")));
  for (char& c : lower) c = static_cast<char>(c | 0x20);
  if (lower == "nan" && !isSigned) return std::numeric_limits<double>::quiet_NaN();
  if (lower != "inf" && lower != "infinity") return 0;
  const double infinity = std::numeric_limits<double>::infinity();
  return negative ? -infinity : infinity;
}

std::string fixedText(double value) {
  if (std::isnan(value)) return "NaN";
  std::string text = std::isinf(value) ? "Inf" : formatDouble(value, 'f', 6, false);
  if (std::signbit(value)) return "-" + text;
  return std::isinf(value) ? "+" + text : text;
}

}  // namespace

Value goNumber(Runtime& runtime, Value value) {
  return value.isLongInteger() ? runtime.number(rounded(value).value) : value;
}

std::string_view goType(Value value) {
  switch (value.type()) {
    case Type::kBool:
      return "bool";
    case Type::kInt:
      return "int";
    case Type::kDouble:
      return "float64";
    case Type::kString:
      return "string";
    case Type::kList:
      return "[]interface {}";
    case Type::kTuple:
      return "[]string";
    case Type::kDict:
      return "map[string]interface {}";
    case Type::kNamespace:
      return "pongo2.Context";
    case Type::kObject:
      if (isObject(value, ObjectKind::kCycler)) return "pongo2.tagCycleValue";
      return isPointer(value) ? "pongo2.tagForLoopInformation" : "pongo2.tagBlockInformation";
    default:
      return isPointer(value) ? "pongo2.tagForLoopInformation" : "<nil>";
  }
}

bool isPointer(Value value) {
  return value.identical(kNoLoop) || isObject(value, ObjectKind::kLoop) ||
         isObject(value, ObjectKind::kCycler);
}

Value textOf(Runtime& runtime, Value value) {
  // A cycle can have itself for a value.
  for (uint32_t depth = 0; isObject(value, ObjectKind::kCycler); ++depth) {
    if (depth > runtime.budget.limits().valueDepth) {
      return runtime.limitFailure(Limit::kValueDepth);
    }
    value = static_cast<CycleValue&>(value.asObject()).value;
  }
  switch (value.type()) {
    case Type::kFailure:
    case Type::kString:
      return value;
    case Type::kBool:
      return runtime.string(value.asBool() ? "True" : "False");
    case Type::kInt: {
      std::string digits;
      json::appendInteger(digits, value.asInteger());
      return runtime.newString(digits);
    }
    case Type::kDouble:
      return runtime.newString(fixedText(value.asDouble()));
    case Type::kLongInteger:
      return textOf(runtime, goNumber(runtime, value));
    case Type::kNone:
      return Value::emptyString();
    default:
      break;
  }
  return Text(runtime).append("<").append(goType(value)).append(" Value>").take();
}

int64_t toInteger(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (value >= -kLimit && value < kLimit) return static_cast<int64_t>(value);
  return std::numeric_limits<int64_t>::min();
}

int64_t integerOf(Value value) {
  return isWhole(value) ? value.asInteger() : toInteger(floatOf(value));
}

double floatOf(Value value) {
  if (isWhole(value)) return static_cast<double>(value.asInteger());
  if (value.isDouble()) return value.asDouble();
  return value.isString() ? parseFloat(value.text()) : 0;
}

bool isTrue(Value value) {
  switch (value.type()) {
    case Type::kBool:
      return value.asBool();
    case Type::kInt:
      return value.asInteger() != 0;
    case Type::kDouble:
      return value.asDouble() != 0;
    case Type::kString:
      return !value.text().empty();
    case Type::kList:
    case Type::kTuple:
      return value.asList().size() != 0;
    case Type::kDict:
      return value.asDict().size() != 0;
    default:
      return !value.isNone() && !isFunction(value);
  }
}

Value negated(Runtime& runtime, Value value) {
  if (isWhole(value)) return runtime.integer(isTrue(value) ? 0 : 1);
  if (value.isDouble()) return runtime.number(isTrue(value) ? 0.0 : 1.1);
  return Value::boolean(!isTrue(value));
}

int64_t lengthOf(Value value) {
  if (value.isString()) return static_cast<int64_t>(codePoints(value.text()));
  if (value.isSequence()) return static_cast<int64_t>(value.asList().size());
  Dict* entries = entriesOf(value);
  return entries != nullptr ? static_cast<int64_t>(entries->size()) : 0;
}

bool canSlice(Value value) { return value.isString() || value.isSequence(); }

Value itemAt(Runtime& runtime, Value value, int64_t index) {
  if (value.isSequence()) return value.asList().items()[static_cast<size_t>(index)];
  const size_t from = codePointOffset(value.text(), static_cast<size_t>(index));
  const std::string_view rest = value.text().substr(from);
  return runtime.string(rest.substr(0, codePointOffset(rest, 1)));
}

Tristate isEqual(Runtime& runtime, Value left, Value right) {
  if (left.type() != right.type()) return Tristate::kNo;
  switch (left.type()) {
    case Type::kBool:
    case Type::kInt:
      return tristate(left.asInteger() == right.asInteger());
    case Type::kDouble:
      return tristate(left.asDouble() == right.asDouble());
    case Type::kString:
      if (left.text().size() != right.text().size()) return Tristate::kNo;
      if (!runtime.canRead(left)) return Tristate::kFailed;
      return tristate(left.text() == right.text());
    case Type::kList:
    case Type::kTuple:
    case Type::kDict:
    case Type::kNamespace:
      runtime.fail("comparing uncomparable type {}", goType(left));
      return Tristate::kFailed;
    default:
      return tristate(left.identical(right));
  }
}

Tristate isIn(Runtime& runtime, Value item, Value container) {
  if (container.isString()) {
    const Value text = textOf(runtime, item);
    if (text.failed() || !runtime.canRead(container)) return Tristate::kFailed;
    return tristate(text::find(container.text(), text.text()) != std::string_view::npos);
  }
  if (Dict* entries = entriesOf(container)) {
    if (isWhole(item)) {
      runtime.fail("value of type int is not assignable to type string");
      return Tristate::kFailed;
    }
    if (!runtime.canRead(item)) return Tristate::kFailed;
    return tristate(item.isString() && entries->find(item.text()) != nullptr);
  }
  if (isObject(container, ObjectKind::kLoop)) {
    const Value name = textOf(runtime, item);
    return name.failed() ? Tristate::kFailed : tristate(isLoopField(name.text()));
  }
  if (!container.isSequence()) return Tristate::kNo;
  for (const Value other : container.asList().items()) {
    if (!runtime.budget.spend()) return Tristate::kFailed;
    const Tristate same = isEqual(runtime, item, other);
    if (same != Tristate::kNo) return same;
  }
  return Tristate::kNo;
}

namespace {

Value loopField(const LoopInfo& loop, std::string_view name) {
  const Value values[] = {loop.counter, loop.counter0, loop.revcounter, loop.revcounter0,
                          loop.first,   loop.last,     loop.parent,     Value::none()};
  return values[std::find(kLoopFields.begin(), kLoopFields.end(), name) - kLoopFields.begin()];
}

}  // namespace

Value fieldOf(Runtime& runtime, Value object, std::string_view name) {
  if (object.is(Type::kNamespace) && name == "Update") {
    return runtime.fail("'pongo2.Update' needs an argument");
  }
  if (Dict* entries = entriesOf(object)) {
    const Value* member = entries->find(name);
    return member == nullptr ? Value::none() : *member;
  }
  if (object.is(Type::kObject)) {
    Object& known = object.asObject();
    if (known.kind == ObjectKind::kLoop) {
      return loopField(static_cast<LoopInfo&>(known), name);
    }
    if (known.kind == ObjectKind::kCycler && name == "String") return textOf(runtime, object);
    if (known.kind == ObjectKind::kSelf && name == "Super") {
      const auto& block = static_cast<BlockInfo&>(known);
      return *runtime.heap.make<BlockInfo>(block.name, block.level, block.scope,
                                           ObjectKind::kBlock);
    }
    return Value::none();
  }
  return runtime.fail("can't access a field by name on type {}", goType(object));
}

Value elementOf(Runtime& runtime, Value object, int64_t index) {
  if (object.isString()) {
    const std::string_view text = object.text();
    if (index < 0 || static_cast<uint64_t>(index) >= text.size()) return Value::none();
    return runtime.integer(static_cast<unsigned char>(text[static_cast<size_t>(index)]));
  }
  if (!object.isSequence()) {
    return runtime.fail("can't access an index on type {}", goType(object));
  }
  return index >= 0 && index < lengthOf(object) ? itemAt(runtime, object, index) : Value::none();
}

Value subscriptOf(Runtime& runtime, Value object, Value key) {
  if (!runtime.canRead(key)) return Value::failure();
  if (canSlice(object)) return elementOf(runtime, object, integerOf(key));
  if (object.is(Type::kObject)) {
    const Value name = textOf(runtime, key);
    // Only a name reaches methods.
    if (name.failed() || !isObject(object, ObjectKind::kLoop))
      return name.failed() ? name : Value::none();
    return fieldOf(runtime, object, name.text());
  }
  if (Dict* entries = entriesOf(object)) {
    if (key.isNone()) return runtime.fail("nil is no key of a map");
    const Value* member = key.isString() ? entries->find(key.text()) : nullptr;
    return member == nullptr ? Value::none() : *member;
  }
  return runtime.fail("can't access an index on type {}", goType(object));
}

}  // namespace strata::jinja::pongo2
