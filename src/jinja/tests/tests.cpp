// Implements the tests of `is`
// (https://jinja.palletsprojects.com/en/stable/templates/#builtin-tests).
#include <algorithm>

#include "jinja/builtin.h"
#include "jinja/object.h"
#include "jinja/ops.h"
#include "jinja/repr.h"
#include "jinja/text/case_tests.h"

namespace strata::jinja {
namespace {

Value toBool(Tristate result) {
  return result == Tristate::kFailed ? Value::failure() : Value::boolean(result == Tristate::kYes);
}

template <Type type>
Value hasType(Call& call) {
  return Value::boolean(call[0].is(type));
}

template <Operator op>
Value compares(Call& call) {
  return binary(call.runtime, op, call[0], call[1]);
}

// Returns whether value % divisor == remainder.
Value hasRemainder(Call& call, Value divisor, int64_t remainder) {
  const Value modulo = binary(call.runtime, Operator::kModulo, call[0], divisor);
  return modulo.failed() ? modulo
                         : toBool(equal(call.runtime, modulo, call.runtime.integer(remainder)));
}

Value odd(Call& call) { return hasRemainder(call, call.runtime.integer(2), 1); }
Value even(Call& call) { return hasRemainder(call, call.runtime.integer(2), 0); }
Value divisibleby(Call& call) { return hasRemainder(call, call[1], 0); }
Value defined(Call& call) { return Value::boolean(!call[0].isUndefined()); }
Value number(Call& call) { return Value::boolean(call[0].isNumber()); }
Value integer(Call& call) {
  return Value::boolean(call[0].is(Type::kInt) || call[0].isLongInteger());
}
Value escaped(Call& call) { return Value::boolean(hasHtml(call.runtime, call[0])); }
Value sameas(Call& call) { return Value::boolean(call[0].identical(call[1])); }
Value in(Call& call) { return toBool(contains(call.runtime, call[1], call[0])); }
Value trueTest(Call& call) { return Value::boolean(call[0].isBool() && call[0].asBool()); }
Value falseTest(Call& call) { return Value::boolean(call[0].isBool() && !call[0].asBool()); }

Value callable(Call& call) {
  if (call[0].isUndefined())
    return Value::boolean(true);  // Undefined defines __call__, which fails
  if (!call[0].is(Type::kObject)) return Value::boolean(false);
  const ObjectKind kind = call[0].asObject().kind;
  return Value::boolean(kind != ObjectKind::kCycler && kind != ObjectKind::kModule &&
                        kind != ObjectKind::kSelf);
}

bool isLoop(Value value) {
  return value.is(Type::kObject) && value.asObject().kind == ObjectKind::kLoop;
}

Value iterable(Call& call) {
  const Value value = call[0];
  switch (value.type()) {
    case Type::kUndefined:
      if (call.runtime.undefinedKind(value) != UndefinedKind::kStrict) return Value::boolean(true);
      return call.runtime.undefinedFailure(value);
    case Type::kString:
    case Type::kList:
    case Type::kTuple:
    case Type::kDict:
    case Type::kDictView:
    case Type::kRange:
    case Type::kIterator:
      return Value::boolean(true);
    default:
      return Value::boolean(isLoop(value));
  }
}

Value sequence(Call& call) {
  const Value value = call[0];
  if (value.isUndefined()) {
    return Value::boolean(call.runtime.undefinedKind(value) != UndefinedKind::kStrict);
  }
  return Value::boolean(value.isString() || value.isSequence() || value.is(Type::kDict) ||
                        value.is(Type::kRange));
}

Value lower(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  if (text.failed() || !call.runtime.canClassify(text.text())) return Value::failure();
  return Value::boolean(text::isLowerText(text.text()));
}

Value upper(Call& call) {
  const Value text = toText(call.runtime, call[0]);
  if (text.failed() || !call.runtime.canClassify(text.text())) return Value::failure();
  return Value::boolean(text::isUpperText(text.text()));
}

// As in Python, `name in environment.filters` requires a hashable name.
Value filter(Call& call) {
  const Value name = call[0];
  if (!checkKey(call.runtime, call[0])) return Value::failure();
  if (!name.isString()) return Value::boolean(false);
  const auto& hosts = call.runtime.options.filters;
  return Value::boolean(findFilter(name.text()) != nullptr ||
                        std::find(hosts.begin(), hosts.end(), name.text()) != hosts.end());
}

Value test(Call& call) {
  if (!checkKey(call.runtime, call[0])) return Value::failure();
  return Value::boolean(call[0].isString() && findTest(call[0].text()) != nullptr);
}

constexpr Builtin kRows[] = {
    {"!= a b /", compares<Operator::kNotEqual>},
    {"< a b /", compares<Operator::kLess>},
    {"<= a b /", compares<Operator::kLessEqual>},
    {"== a b /", compares<Operator::kEqual>},
    {"> a b /", compares<Operator::kGreater>},
    {">= a b /", compares<Operator::kGreaterEqual>},
    {"boolean value", hasType<Type::kBool>},
    {"callable obj /", callable},
    {"defined value", defined},
    {"divisibleby value num", divisibleby},
    {"eq a b /", compares<Operator::kEqual>},
    {"equalto a b /", compares<Operator::kEqual>},
    {"escaped value", escaped},
    {"even value", even},
    {"false value", falseTest},
    {"filter value", filter},
    {"float value", hasType<Type::kDouble>},
    {"ge a b /", compares<Operator::kGreaterEqual>},
    {"greaterthan a b /", compares<Operator::kGreater>},
    {"gt a b /", compares<Operator::kGreater>},
    {"in value seq", in},
    {"integer value", integer},
    {"iterable value", iterable},
    {"le a b /", compares<Operator::kLessEqual>},
    {"lessthan a b /", compares<Operator::kLess>},
    {"lower value", reading<lower>},
    {"lt a b /", compares<Operator::kLess>},
    {"mapping value", hasType<Type::kDict>},
    {"ne a b /", compares<Operator::kNotEqual>},
    {"none value", hasType<Type::kNone>},
    {"number value", number},
    {"odd value", odd},
    {"sameas value other", sameas},
    {"sequence value", sequence},
    {"string value", hasType<Type::kString>},
    {"test value", test},
    {"true value", trueTest},
    {"undefined value", hasType<Type::kUndefined>},
    {"upper value", reading<upper>},
};

}  // namespace

const Builtin* findTest(std::string_view name) { return findIn(kRows, name); }

}  // namespace strata::jinja
