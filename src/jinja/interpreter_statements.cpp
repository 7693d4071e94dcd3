// Runs statements, except loops and statements that load templates.
#include "jinja/interpreter.h"
#include "jinja/ops.h"
#include "jinja/repr.h"

namespace strata::jinja {

Flow Interpreter::run(const Body& body) {
  if (++nesting_ > kMaxNesting) {
    --nesting_;
    limitFailure(Limit::kCallDepth);
    return Flow::kFailed;
  }
  Flow flow = Flow::kNext;
  for (const Stmt* statement = body.first; statement != nullptr; statement = statement->next) {
    if (statement->hidden && activation_->parent != nullptr) continue;
    flow = runStatement(*statement);
    if (flow != Flow::kNext) break;
  }
  --nesting_;
  return flow;
}

Flow Interpreter::runStatement(const Stmt& statement) {
  anchor_ = step_ = statement.offset;
  if (!budget.spend()) {
    limitFailure();
    return Flow::kFailed;
  }
  switch (statement.kind) {
    case StmtKind::kText:
      return write(static_cast<const TextStmt&>(statement).text) ? Flow::kNext : Flow::kFailed;
    case StmtKind::kPrint:
      return runPrint(static_cast<const PrintStmt&>(statement));
    case StmtKind::kIf:
      return runIf(static_cast<const IfStmt&>(statement));
    case StmtKind::kFor:
      return runFor(static_cast<const ForNode&>(statement));
    case StmtKind::kSet:
      return runSet(static_cast<const SetStmt&>(statement));
    case StmtKind::kSetBlock:
    case StmtKind::kFilterBlock:
      return runCapture(static_cast<const CaptureStmt&>(statement));
    case StmtKind::kMacro:
      defineMacro(static_cast<const MacroNode&>(statement));
      return Flow::kNext;
    case StmtKind::kCallBlock:
      return runCallBlock(static_cast<const MacroNode&>(statement));
    case StmtKind::kWith:
      return runWith(static_cast<const WithStmt&>(statement));
    case StmtKind::kAutoescape:
    case StmtKind::kScope:
      return runScope(static_cast<const ScopeStmt&>(statement));
    case StmtKind::kBlock:
      return runBlockStatement(static_cast<const BlockStmt&>(statement));
    case StmtKind::kExtends:
    case StmtKind::kInclude:
    case StmtKind::kImport:
    case StmtKind::kFromImport:
      return runTemplateStatement(static_cast<const TemplateStmt&>(statement));
    case StmtKind::kDo:
      return evaluate(static_cast<const PrintStmt&>(statement).value).failed() ? Flow::kFailed
                                                                               : Flow::kNext;
    case StmtKind::kBreak:
      return Flow::kBreak;
    case StmtKind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNext;
}

// Jinja2 evaluates constants while it compiles, and again while it renders if that failed. Only the
// first evaluation ignores an invalid slice.
Flow Interpreter::runConstantPrint(const PrintStmt& statement) {
  folding_ = true;
  const bool printed = print(evaluate(statement.value));
  folding_ = false;
  if (printed) return Flow::kNext;
  if (error_->kind == ErrorKind::kLimit) return Flow::kFailed;
  error_.reset();
  return print(evaluate(statement.value)) ? Flow::kNext : Flow::kFailed;
}

Flow Interpreter::runPrint(const PrintStmt& statement) {
  if (statement.folded) return runConstantPrint(statement);
  const Expr* expr = statement.value;
  Value value = evaluateHead(expr);
  if (expr->first != nullptr) value = applySteps(value, expr->first, nullptr, true);
  return print(value) ? Flow::kNext : Flow::kFailed;
}

Flow Interpreter::runIf(const IfStmt& statement) {
  for (const Branch& branch : statement.branches) {
    anchor_ = step_ = branch.offset;
    const Value test = evaluate(branch.test);
    if (test.failed()) return Flow::kFailed;
    const Tristate condition = truth(*this, test);
    if (condition == Tristate::kFailed) return Flow::kFailed;
    if (condition == Tristate::kYes) return run(branch.body);
  }
  return run(statement.otherwise);
}

void Interpreter::enterScope(const ScopeInfo& scope) {
  for (const Entry& entry : scope.entries) {
    Value& target = frame_->slots[entry.slot];
    if (entry.kind == Entry::Kind::kClear) {
      target = Value::absent();
    } else if (entry.from.kind == Ref::Kind::kContext) {
      target = resolve(activation_->context, activation_->unit->contextNames[entry.from.index]);
    } else {
      target = slot(entry.from);
    }
  }
}

bool Interpreter::assign(const Target& target, Value value) {
  switch (target.kind) {
    case Target::Kind::kName:
      slot(target.ref) = value;
      return true;
    case Target::Kind::kAttribute: {
      if (!checkTarget(target)) return false;
      const Value space = read(target.ref, target.name->text);
      return setItem(*this, *space.asNamespace().members, string(target.attribute), value);
    }
    case Target::Kind::kTuple:
      return unpack(target, value);
  }
  return false;
}

bool Interpreter::unpack(const Target& target, Value value) {
  const size_t wanted = target.items.size();
  Iteration each(*this, value);
  if (each.failed()) return false;
  const size_t count = each.remaining();
  if (count != wanted) {
    fail("{}", count > wanted ? "too many values to unpack" : "not enough values to unpack");
    return false;
  }
  for (const Target& item : target.items) {
    Value part;
    if (!each.next(part) || !assign(item, part)) return false;
  }
  return true;
}

// Checks the target of {% set space.member = ... %}. It must be a namespace before the value is
// evaluated.
bool Interpreter::checkTarget(const Target& target) {
  if (target.kind != Target::Kind::kAttribute) return true;
  if (read(target.ref, target.name->text).is(Type::kNamespace)) return true;
  fail("cannot assign attribute on non-namespace object");
  return false;
}

Flow Interpreter::runSet(const SetStmt& statement) {
  if (!checkTarget(statement.target)) return Flow::kFailed;
  const Value value = evaluate(statement.value);
  if (value.failed()) return Flow::kFailed;
  return assign(statement.target, value) ? Flow::kNext : Flow::kFailed;
}

// Runs {% set x %} and {% filter f %}: captures the output of the body and applies the filters.
Flow Interpreter::runCapture(const CaptureStmt& statement) {
  const size_t mark = out_.size();
  const size_t unjoinable = unjoinable_;
  enterScope(statement.scope);
  const Flow flow = run(statement.body);
  if (flow != Flow::kNext) {
    out_.shrink(mark);
    unjoinable_ = unjoinable;
    return flow;
  }
  anchor_ = step_ = statement.offset;
  const bool isSet = statement.kind == StmtKind::kSetBlock;
  if (isSet && !checkTarget(statement.target)) return Flow::kFailed;
  Value text = capture(mark, false);
  if (statement.filter != nullptr) text = applySteps(text, statement.filter->first, nullptr, false);
  if (!isSet) return writeResult(text) ? Flow::kNext : Flow::kFailed;
  if (autoescape && !text.failed()) text = toText(*this, text);
  if (text.failed()) return Flow::kFailed;
  if (autoescape) text = string(text.text(), true);
  return assign(statement.target, text) ? Flow::kNext : Flow::kFailed;
}

Flow Interpreter::runWith(const WithStmt& statement) {
  enterScope(statement.scope);
  for (const SetStmt* set : statement.sets) {
    anchor_ = step_ = set->offset;
    if (runSet(*set) == Flow::kFailed) return Flow::kFailed;
  }
  return run(statement.body);
}

Flow Interpreter::runScope(const ScopeStmt& statement) {
  enterScope(statement.scope);
  if (statement.value == nullptr) return run(statement.body);
  const Value value = evaluate(statement.value);
  const Tristate condition = value.failed() ? Tristate::kFailed : truth(*this, value);
  if (condition == Tristate::kFailed) return Flow::kFailed;
  const bool outer = autoescape;
  autoescape = condition == Tristate::kYes;
  const Flow flow = run(statement.body);
  autoescape = outer;
  return flow;
}

void Interpreter::defineMacro(const MacroNode& node) {
  slot(node.ref) = Value(*heap.make<Macro>(node, frame_, activation_, autoescape));
}

Flow Interpreter::runCallBlock(const MacroNode& node) {
  const Value caller = Value(*heap.make<Macro>(node, frame_, activation_, autoescape));
  const Expr* expr = node.call;
  const Value callee = applySteps(evaluateHead(expr), expr->first, expr->last, false);
  if (callee.failed()) return Flow::kFailed;
  step_ = expr->last->offset;
  const Value text = callStep(callee, static_cast<const CallStep&>(*expr->last), caller, true);
  return print(text) ? Flow::kNext : Flow::kFailed;
}

}  // namespace strata::jinja
