// Evaluates expressions.
#include "jinja/interpreter.h"
#include "jinja/ops.h"

namespace strata::jinja {

Value& Interpreter::slot(const Ref& ref) {
  Frame* frame = frame_;
  for (uint8_t i = 0; i < ref.hops; ++i) frame = frame->outer;
  return frame->slots[ref.index];
}

Value Interpreter::readContext(uint32_t index) {
  Value& value = activation_->fromContext[index];
  if (value.isAbsent()) {
    const std::string_view name = activation_->unit->contextNames[index];
    value = resolve(activation_->context, name);
    if (value.isAbsent()) value = undefined(name);
  }
  return value;
}

Value Interpreter::read(const Ref& ref, std::string_view name) {
  if (ref.kind == Ref::Kind::kContext) return readContext(ref.index);
  const Value value = slot(ref);
  return value.isAbsent() ? undefined(name) : value;
}

Value Interpreter::evaluate(const Expr* expr) {
  if (expr->kind == ExprKind::kConstant && expr->first == nullptr) {
    return static_cast<const ConstantExpr*>(expr)->value;
  }
  if (++nesting_ > kMaxNesting) {
    --nesting_;
    return limitFailure(Limit::kCallDepth);
  }
  Value value = budget.spend() ? evaluateHead(expr) : limitFailure();
  if (expr->first != nullptr) value = applySteps(value, expr->first, nullptr, false);
  --nesting_;
  return value;
}

Value Interpreter::evaluateHead(const Expr* expr) {
  switch (expr->kind) {
    case ExprKind::kConstant:
      return static_cast<const ConstantExpr*>(expr)->value;
    case ExprKind::kName: {
      const auto& name = static_cast<const NameExpr&>(*expr);
      return read(name.ref, name.name->text);
    }
    case ExprKind::kList:
    case ExprKind::kTuple:
      return evaluateItems(static_cast<const ItemsExpr&>(*expr));
    case ExprKind::kDict:
      return evaluateDict(static_cast<const ItemsExpr&>(*expr));
    case ExprKind::kConditional:
      return evaluateConditional(static_cast<const ConditionalExpr&>(*expr));
    default:
      return evaluateUnary(static_cast<const UnaryExpr&>(*expr));
  }
}

Value Interpreter::evaluateItems(const ItemsExpr& expr) {
  if (!budget.collection(expr.items.size())) return limitFailure();
  List* list = makeList();
  list->reserve(expr.items.size());
  for (const Expr* item : expr.items) {
    const Value value = evaluate(item);
    if (value.failed()) return value;
    list->append(value);
  }
  return expr.kind == ExprKind::kList ? Value(*list) : Value::tuple(list);
}

Value Interpreter::evaluateDict(const ItemsExpr& expr) {
  Dict* dict = makeDict();
  for (size_t i = 0; i + 1 < expr.items.size(); i += 2) {
    const Value key = evaluate(expr.items[i]);
    if (key.failed()) return key;
    const Value value = evaluate(expr.items[i + 1]);
    if (value.failed() || !setItem(*this, *dict, key, value)) return Value::failure();
  }
  return Value(*dict);
}

Value Interpreter::evaluateUnary(const UnaryExpr& expr) {
  const Value value = evaluate(expr.operand);
  if (value.failed()) return value;
  if (expr.kind == ExprKind::kNegate) return negate(*this, value);
  if (expr.kind == ExprKind::kPositive) return positive(*this, value);
  const Tristate condition = truth(*this, value);
  return condition == Tristate::kFailed ? Value::failure()
                                        : Value::boolean(condition == Tristate::kNo);
}

Value Interpreter::evaluateConditional(const ConditionalExpr& expr) {
  const Value test = evaluate(expr.test);
  if (test.failed()) return test;
  const Tristate condition = truth(*this, test);
  if (condition == Tristate::kFailed) return Value::failure();
  if (condition == Tristate::kYes) return evaluate(expr.yes);
  if (expr.no != nullptr) return evaluate(expr.no);
  auto* undefinedResult = heap.make<Missing>(
      "the inline if-expression evaluated to false and no else section was defined.");
  undefinedResult->plain = true;
  return *undefinedResult;
}

// Applies the steps from `step` up to `end`. `direct`: if the last step calls a macro, the macro
// may print directly.
Value Interpreter::applySteps(Value value, const Step* step, const Step* end, bool direct) {
  for (; step != end && !value.failed(); step = step->next) {
    if (!budget.spend()) return limitFailure();
    step_ = step->offset;
    value = applyStep(value, *step, direct && step->next == end);
  }
  return value;
}

Value Interpreter::applyStep(Value value, const Step& step, bool direct) {
  switch (step.kind) {
    case StepKind::kAttribute: {
      const auto& attribute = static_cast<const AttributeStep&>(step);
      const std::string_view name = attribute.name;
      if (value.is(Type::kDict) && !attribute.isDictMethod) {
        if (const Value* member = value.asDict().find(name)) return *member;
      }
      return getAttribute(*this, value, name);
    }
    case StepKind::kItem: {
      const Value key = evaluate(static_cast<const ItemStep&>(step).key);
      return key.failed() ? key : getItem(*this, value, key);
    }
    case StepKind::kSlice:
      return evaluateSlice(value, static_cast<const SliceStep&>(step));
    case StepKind::kCall:
      return callStep(value, static_cast<const CallStep&>(step), Value::absent(), direct);
    case StepKind::kFilter:
    case StepKind::kTest:
      return evaluateBuiltin(value, static_cast<const BuiltinStep&>(step));
    case StepKind::kCompare:
      return evaluateComparison(value, static_cast<const CompareStep&>(step));
    case StepKind::kAnd:
    case StepKind::kOr:
      return evaluateLogic(value, static_cast<const OperatorStep&>(step));
    default:
      break;
  }
  const auto& operation = static_cast<const OperatorStep&>(step);
  const Value right = evaluate(operation.right);
  if (right.failed()) return right;
  if (step.kind == StepKind::kConcat) return concatenate(*this, value, right, operation.plain);
  return binary(*this, operation.op, value, right);
}

Value Interpreter::evaluateComparison(Value value, const CompareStep& step) {
  Value left = value;
  Value result;
  for (const Comparison& comparison : step.comparisons) {
    const Value right = evaluate(comparison.right);
    if (right.failed()) return right;
    result = binary(*this, comparison.op, left, right);
    if (result.failed() || !result.asBool()) return result;
    left = right;
  }
  return result;
}

Value Interpreter::evaluateLogic(Value value, const OperatorStep& step) {
  const Tristate condition = truth(*this, value);
  if (condition == Tristate::kFailed) return Value::failure();
  const bool decided = (condition == Tristate::kYes) == (step.kind == StepKind::kOr);
  return decided ? value : evaluate(step.right);
}

Value Interpreter::evaluateSlice(Value value, const SliceStep& step) {
  Value parts[3];
  const Expr* const exprs[3] = {step.start, step.stop, step.step};
  for (int i = 0; i < 3; ++i) {
    if (exprs[i] == nullptr) continue;
    parts[i] = evaluate(exprs[i]);
    if (parts[i].failed()) return parts[i];
  }
  const Value part = slice(*this, value, parts[0], parts[1], parts[2]);
  const bool zeroStep = parts[2].isInteger() && parts[2].asInteger() == 0;
  if (!part.failed() || !folding_ || zeroStep || error_->kind != ErrorKind::kRuntime) return part;
  error_.reset();
  return *heap.make<Missing>(value, Value::none());
}

Value Interpreter::evaluateBuiltin(Value value, const BuiltinStep& step) {
  const ValueStack::Mark mark = stack_.mark();
  Arguments arguments;
  Value result = Value::failure();
  if (collect(step.arguments, Value::absent(), arguments)) {
    step_ = step.offset;
    if (step.kind == StepKind::kFilter) {
      result = callFilter(step.builtin, step.host, step.name, value, arguments);
    } else if (step.builtin == nullptr) {
      fail("No test named '{}' found.", step.name);
    } else {
      result = invoke(*this, *step.builtin, value, arguments);
    }
  }
  stack_.release(mark);
  if (result.failed() || !step.negated) return result;
  const Tristate condition = truth(*this, result);
  return condition == Tristate::kFailed ? Value::failure()
                                        : Value::boolean(condition == Tristate::kNo);
}

// Calls `callee`. `caller` is the macro of a call block, or absent.
Value Interpreter::callStep(Value callee, const CallStep& step, Value caller, bool direct) {
  const ValueStack::Mark mark = stack_.mark();
  Arguments arguments;
  Value result = Value::failure();
  if (collect(step.arguments, caller, arguments)) {
    step_ = step.offset;
    result = callValue(callee, arguments, direct);
  }
  stack_.release(mark);
  return result;
}

bool Interpreter::collect(const CallArguments& from, Value caller, Arguments& to) {
  Value* positional = stack_.take(from.positional.size());
  for (size_t i = 0; i < from.positional.size(); ++i) {
    positional[i] = evaluate(from.positional[i]);
    if (positional[i].failed()) return false;
  }
  to.positional = {positional, from.positional.size()};
  const size_t extra = caller.isAbsent() ? 0 : 1;
  if (from.rest == nullptr && from.restNamed == nullptr && from.named.size() + extra == 0) {
    return true;
  }
  List* all = makeList();
  for (const Value value : to.positional) all->append(value);
  Dict* byName = makeDict();
  for (const Keyword& keyword : from.named) {
    const Value value = evaluate(keyword.value);
    if (value.failed()) return false;
    byName->set(string(keyword.name), value);
  }
  if (!collectRest(from, *all, *byName)) return false;
  if (extra != 0) byName->set(string("caller"), caller);
  auto* named = heap.array<NamedValue>(byName->size());
  size_t count = 0;
  for (const Dict::Entry& entry : byName->entries()) {
    named[count++] = {entry.key.text(), entry.value};
  }
  to.positional = all->items();
  to.named = {named, count};
  return true;
}

// Adds the arguments of *args and **kwargs.
bool Interpreter::collectRest(const CallArguments& from, List& positional, Dict& named) {
  if (from.rest != nullptr) {
    const Value rest = evaluate(from.rest);
    if (rest.failed()) return false;
    Iteration each(*this, rest);
    for (Value item; each.next(item);) positional.append(item);
    if (each.failed()) return false;
  }
  if (from.restNamed == nullptr) return true;
  const Value rest = evaluate(from.restNamed);
  if (rest.failed()) return false;
  if (!rest.is(Type::kDict)) {
    fail("argument after ** must be a mapping, not {}", rest);
    return false;
  }
  for (const Dict::Entry& entry : rest.asDict().entries()) {
    if (!entry.key.isString()) {
      fail("keywords must be strings");
      return false;
    }
    if (named.find(entry.key) != nullptr) {
      fail("got multiple values for keyword argument '{}'", entry.key.text());
      return false;
    }
    if (!setItem(*this, named, entry.key, entry.value)) return false;
  }
  return true;
}

}  // namespace strata::jinja
