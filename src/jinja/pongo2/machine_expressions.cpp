// Evaluates expressions, as the methods Evaluate of pongo2's parser_expression.go and variable.go
// do.
#include "jinja/host.h"
#include "jinja/pongo2/filters.h"
#include "jinja/pongo2/machine.h"
#include "jinja/power.h"

namespace strata::jinja::pongo2 {

Value Machine::evaluate(const Node* expression) {
  if (expression->kind == NodeKind::kConstant) return expression->value;
  if (!budget.spend()) return limitFailure();
  if (!enter()) return Value::failure();
  offset_ = expression->offset;
  const Value value = evaluateNode(*expression);
  --nesting_;
  return value;
}

Value Machine::evaluateNode(const Node& node) {
  switch (node.kind) {
    case NodeKind::kVariable:
      return variable(node);
    case NodeKind::kLogic:
      return logic(&node);
    case NodeKind::kRelation:
      return relation(node);
    case NodeKind::kArithmetic:
      return arithmetic(node);
    case NodeKind::kSigned:
      return sign(node);
    default:
      break;
  }
  const Value left = evaluate(node.first);
  if (left.failed()) return left;
  if (node.kind == NodeKind::kFiltered) return filtered(left, node.second);
  const Value right = evaluate(node.second);
  if (right.failed() || !canRead(left) || !canRead(right)) return Value::failure();
  return number(power(floatOf(left), floatOf(right)));
}

// Returns what the host can receive: the text of an object.
Value Machine::toData(Value value) {
  return value.is(Type::kObject) || value.is(Type::kNamespace) ? textOf(*this, value) : value;
}

// A function is called with no arguments where the template gives none.
Value Machine::variable(const Node& node) {
  const Value* found = scope_->names->find(node.value);
  if (found == nullptr) found = scope_->context->find(node.value);
  Value value = found == nullptr ? Value::none() : *found;
  for (size_t i = 0; found == nullptr && i < options.functions.size(); ++i) {
    if (options.functions[i] == node.value.text()) value = *heap.make<HostFunction>(i);
  }
  const Node* next = node.second;
  for (;;) {
    value = goNumber(*this, value);
    const bool called = next != nullptr && next->kind == NodeKind::kCall;
    if (value.failed()) return value;
    if (called && value.isNone()) return value;
    if (called && !isFunction(value)) {
      return fail("'{}' is not a function", node.value.text());
    }
    if (isFunction(value)) {
      value = call(value, called ? next->first : nullptr);
      if (called) next = next->next;
    }
    if (value.failed() || value.isNone() || next == nullptr) return value;
    offset_ = node.offset;
    value = part(value, *next);
    next = next->next;
  }
}

Value Machine::part(Value value, const Node& node) {
  if (node.kind == NodeKind::kField) return fieldOf(*this, value, node.value.text());
  if (node.kind == NodeKind::kIndex) return elementOf(*this, value, node.value.asInteger());
  const Value key = evaluate(node.first);
  return key.failed() ? key : subscriptOf(*this, value, key);
}

Value Machine::filtered(Value value, const Node* filters) {
  for (const Node* filter = filters; filter != nullptr; filter = filter->next) {
    const Value argument = filter->first == nullptr ? Value::none() : evaluate(filter->first);
    if (argument.failed()) return argument;
    offset_ = filter->offset;
    if (!budget.spend()) return limitFailure();
    if (filter->host >= 0) {
      const size_t given = filter->first == nullptr ? 0 : 1;
      const Value plain[] = {toData(argument), toData(value)};
      if (plain[0].failed() || plain[1].failed()) return Value::failure();
      value = callHost(*this, {host_, hostReplies_}, HostKind::kFilter,
                       static_cast<size_t>(filter->host), &plain[1], {{plain, given}, {}});
    } else if (filter->filter == nullptr) {
      return fail("Filter with name '{}' not found.", filter->value.text());
    } else {
      if (!canExamine(value) || !canExamine(argument)) return Value::failure();
      value = goNumber(*this, filter->filter->apply(*this, value, argument));
    }
    if (value.failed()) break;
  }
  return value;
}

Value Machine::sign(const Node& node) {
  Value value = evaluate(node.first);
  if (value.failed()) return value;
  if ((node.flags & kNot) != 0) value = negated(*this, value);
  if ((node.flags & kMinus) == 0) return value;
  if (isWhole(value)) return operate('-', integer(0), value);
  if (value.isDouble()) return number(-1 * value.asDouble());
  return fail("Negative sign on a non-number expression");
}

Value Machine::arithmetic(const Node& node) {
  Value value = evaluate(node.first);
  for (const Node* item = node.second; item != nullptr && !value.failed(); item = item->next) {
    const Value right = evaluate(item->first);
    offset_ = item->offset;
    value = right.failed() ? right : operate(item->op, value, right);
  }
  return value;
}

// Integers wrap around, as in Go.
Value Machine::operate(char op, Value left, Value right) {
  if (op == '+' && (left.isString() || right.isString())) {
    const Value a = textOf(*this, left);
    const Value b = a.failed() ? a : textOf(*this, right);
    return b.failed() ? b : Text(*this).append(a.text()).append(b.text()).take();
  }
  if (!canRead(left) || !canRead(right)) return Value::failure();
  if (op != '%' && (left.isDouble() || right.isDouble())) {
    const double a = floatOf(left);
    const double b = floatOf(right);
    if (op == '+') return number(a + b);
    if (op == '-') return number(a - b);
    return number(op == '*' ? a * b : a / b);
  }
  const auto a = static_cast<uint64_t>(integerOf(left));
  const auto b = static_cast<uint64_t>(integerOf(right));
  if (op == '+') return integer(static_cast<int64_t>(a + b));
  if (op == '-') return integer(static_cast<int64_t>(a - b));
  if (op == '*') return integer(static_cast<int64_t>(a * b));
  if (b == 0) return fail(ErrorKind::kZeroDivision, "integer divide by zero");
  if (b == ~uint64_t{0}) return integer(op == '/' ? static_cast<int64_t>(0 - a) : 0);
  const auto x = static_cast<int64_t>(a);
  const auto y = static_cast<int64_t>(b);
  return integer(op == '/' ? x / y : x % y);
}

Value Machine::relation(const Node& node) {
  const Value left = evaluate(node.first);
  const Value right = left.failed() ? left : evaluate(node.second);
  if (right.failed()) return right;
  if (node.op == kInOperator || node.op == '=' || node.op == '!') {
    const Tristate result =
        node.op == kInOperator ? isIn(*this, left, right) : isEqual(*this, left, right);
    if (result == Tristate::kFailed) return limitFailure();
    return Value::boolean((result == Tristate::kYes) == (node.op != '!'));
  }
  if (!canRead(left) || !canRead(right)) return Value::failure();
  const bool floats = left.isDouble() || right.isDouble();
  const double a = floatOf(left);
  const double b = floatOf(right);
  const int64_t x = integerOf(left);
  const int64_t y = integerOf(right);
  const bool less = floats ? a < b : x < y;
  const bool equal = floats ? a == b : x == y;
  const bool greater = floats ? a > b : x > y;
  if (node.op == '<' || node.op == kLessEqual) {
    return Value::boolean(less || (equal && node.op == kLessEqual));
  }
  return Value::boolean(greater || (equal && node.op == kGreaterEqual));
}

Value Machine::logic(const Node* node) {
  for (; node->kind == NodeKind::kLogic; node = node->second) {
    const Value left = evaluate(node->first);
    if (left.failed()) return left;
    const bool yes = isTrue(left);
    if (yes == (node->op == '|')) return Value::boolean(yes);
  }
  const Value last = evaluate(node);
  return last.failed() ? last : Value::boolean(isTrue(last));
}

Value Machine::call(Value function, const Node* arguments) {
  List* values = makeList();
  for (; arguments != nullptr; arguments = arguments->next) {
    const Value value = evaluate(arguments);
    if (value.failed()) return value;
    values->append(value);
  }
  const Object& object = function.asObject();
  if (object.kind == ObjectKind::kBlock && values->size() > 0) {
    return fail("'block.Super' takes no arguments");
  }
  if (object.kind == ObjectKind::kHost) {
    for (Value& value : values->items()) {
      value = toData(value);
      if (value.failed()) return value;
    }
    return callHost(*this, {host_, hostReplies_}, HostKind::kFunction,
                    static_cast<const HostFunction&>(object).index, nullptr, {values->items(), {}});
  }
  if (callDepth_ >= budget.limits().callDepth) return limitFailure(Limit::kCallDepth);
  ++callDepth_;
  const Value result = object.kind == ObjectKind::kMacro
                           ? callMacro(static_cast<const MacroValue&>(object), values->items())
                           : callSuper(static_cast<const BlockInfo&>(object));
  --callDepth_;
  return result;
}

Value Machine::callMacro(const MacroValue& macro, std::span<const Value> arguments) {
  const Node& node = macro.node;
  Scope* caller = scope_;
  const Document* callerDocument = document_;
  // The defaults are evaluated where the macro's tag ran.
  scope_ = macro.scope;
  document_ = macro.document;
  Scope* inner = childOf(*macro.scope);
  for (const Node* parameter = node.first; parameter != nullptr; parameter = parameter->next) {
    const Value value = parameter->first == nullptr ? Value::none() : evaluate(parameter->first);
    if (value.failed()) return value;
    inner->names->set(parameter->value, value);
  }
  size_t count = 0;
  for (const Node* parameter = node.first; parameter != nullptr && count < arguments.size();
       parameter = parameter->next) {
    inner->names->set(parameter->value, unsafe(*this, arguments[count++]));
  }
  if (arguments.size() > count) {
    return fail("Macro '{}' called with too many arguments", node.value.text());
  }
  scope_ = inner;
  const Value text = capture(node.second);
  scope_ = caller;
  document_ = callerDocument;
  return text.failed() ? text : string(text.text(), true);
}

Value Machine::callSuper(const BlockInfo& block) {
  if (block.level == 0) return Value::emptyString();
  Scope* outer = scope_;
  scope_ = childOf(*block.scope);
  const size_t mark = out_.size();
  if (!runLevel(block.name, block.level - 1)) return Value::failure();
  scope_ = outer;
  const Value text = newString(out_.from(mark), true);
  out_.shrink(mark);
  return text;
}

}  // namespace strata::jinja::pongo2
