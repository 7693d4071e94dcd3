#include "jinja/resolver.h"

#include <algorithm>
#include <utility>

#include "jinja/builtin.h"

namespace strata::jinja {

Resolver::Resolver(Parsed& parsed, const Options& options, Heap& heap, SyntaxFailure& failure)
    : parsed_(parsed),
      options_(options),
      heap_(heap),
      failure_(failure),
      log_(heap),
      variables_(heap),
      references_(heap),
      contextNames_(heap) {}

void Resolver::run() {
  resolveUnit(parsed_.root, true);
  for (BlockStmt* block : parsed_.blocks) {
    Unit* unit = heap_.make<Unit>();
    unit->name = block->name;
    unit->body = block->body;
    unit->uses = block->uses;
    block->unit = unit;
    anchor(block->offset);
    resolveUnit(*unit, false);
  }
}

void Resolver::resolveUnit(Unit& unit, bool isRoot) {
  ++unit_;
  contextNames_ = HeapVector<std::string_view>(heap_);
  softFrame_ = false;
  topLevel_ = rootLevel_ = isRoot;
  requireOutputCheck_ = isRoot && parsed_.extends;
  ScopeFunction function;
  openFunction(function, unit.function);
  Scope scope(heap_);
  scope.isRoot = isRoot;
  open(scope);
  if ((unit.uses & kUsesSelf) != 0) declare("self", unit.selfSlot);
  if ((unit.uses & kUsesSuper) != 0 && !isRoot) declare("super", unit.superSlot);
  collect(unit.body);
  unit.scope = finish(scope);
  resolve(unit.body);
  if (isRoot) exportNames(scope);
  close();
  closeFunction();
  unit.contextNames = contextNames_.span();
}

void Resolver::exportNames(Scope& scope) {
  HeapVector<Unit::Export> exports(heap_);
  for (const Binding* binding : scope.bindings) {
    if (!binding->stored || binding->load == Binding::Load::kParameter) continue;
    const std::string_view name = binding->name->text;
    exports.add({name, binding->slot, !binding->imported && name[0] != '_'});
  }
  sortByName(exports.span());
  parsed_.root.exports = exports.span();
}

void Resolver::openFunction(ScopeFunction& function, FunctionInfo& info) {
  function.outer = function_;
  function.info = &info;
  function.depth = function_ == nullptr ? 0 : static_cast<uint8_t>(function_->depth + 1);
  if (function_ != nullptr) function_->info->captured = true;
  function_ = &function;
}

void Resolver::closeFunction() {
  function_->info->end = lastAnchor_;
  function_ = function_->outer;
}

void Resolver::open(Scope& scope) {
  scope.outer = scope_;
  scope.function = function_;
  scope_ = &scope;
}

// Ends the first pass: returns how each name of the scope is initialized.
ScopeInfo Resolver::finish(Scope& scope) {
  HeapVector<Entry> entries(heap_);
  for (Binding* binding : scope.bindings) {
    if (binding->load == Binding::Load::kContext) {
      variables_.add(binding->name->text);
      if (!binding->stored) continue;
      entries.add({Entry::Kind::kCopy, binding->slot, contextRef(binding->name)});
    } else if (binding->load == Binding::Load::kCopy) {
      entries.add({Entry::Kind::kCopy, binding->slot, refTo(binding->outer, binding->name)});
    } else if (binding->load == Binding::Load::kClear) {
      entries.add({Entry::Kind::kClear, binding->slot, {}});
    }
  }
  return {entries.span()};
}

void Resolver::close() {
  for (Binding* binding : scope_->bindings) binding->name->binding = binding->outer;
  scope_ = scope_->outer;
}

const Stores* Resolver::storesOf(Scope& scope) {
  if (scope.isRoot) return nullptr;  // the context exports the names of the root
  if (scope.stores != nullptr) return scope.stores;
  HeapVector<Stores::Item> items(heap_);
  for (const Binding* binding : scope.bindings) {
    if (binding->stored) items.add({binding->name->text, binding->slot});
  }
  auto* stores = heap_.make<Stores>();
  stores->items = items.span();
  if (scope.outer != nullptr) {
    stores->outer = storesOf(*scope.outer);
    stores->crossesFunction = scope.outer->function != scope.function;
  }
  scope.stores = stores;
  return stores;
}

Binding* Resolver::find(const Name* name) const {
  Binding* binding = name->binding;
  return binding == nullptr || binding->defined ? binding : binding->outer;
}

Binding* Resolver::define(Name* name, Binding::Load load) {
  Binding* binding = name->binding;
  if (binding == nullptr || binding->scope != scope_) {
    binding = heap_.make<Binding>(name, scope_, name->binding);
    binding->slot = function_->info->slots++;
    name->binding = binding;
    scope_->bindings.add(binding);
  }
  binding->defined = true;
  binding->load = load;
  log_.add({binding, true, load});
  return binding;
}

void Resolver::store(Name* name) {
  Binding* binding = find(name);
  if (binding == nullptr || binding->scope != scope_) {
    binding = define(name, binding == nullptr ? Binding::Load::kClear : Binding::Load::kCopy);
  }
  if (binding->stored) return;
  binding->stored = true;
  log_.add({binding, false, binding->load});
}

void Resolver::declare(Name* name) {
  Binding* binding = define(name, Binding::Load::kParameter);
  binding->stored = true;
  log_.add({binding, false, binding->load});
}

// Declares a special name.
void Resolver::declare(std::string_view text, uint32_t& slot) {
  Name* name = parsed_.names->intern(text);
  declare(name);
  slot = name->binding->slot;
}

void Resolver::load(Name* name) {
  if (find(name) == nullptr) define(name, Binding::Load::kContext);
}

Ref Resolver::contextRef(Name* name) {
  if (name->unit != unit_) {
    name->unit = unit_;
    name->contextIndex = static_cast<uint32_t>(contextNames_.size());
    contextNames_.add(name->text);
  }
  return {Ref::Kind::kContext, 0, name->contextIndex};
}

Ref Resolver::refTo(const Binding* binding, Name* name) {
  if (binding == nullptr) return contextRef(name);
  if (binding->load == Binding::Load::kContext && !binding->stored) return contextRef(name);
  const int hops = function_->depth - binding->scope->function->depth;
  return {Ref::Kind::kLocal, static_cast<uint8_t>(hops), binding->slot};
}

void Resolver::walk(Expr* expr, Pass pass) {
  if (expr == nullptr) return;
  switch (expr->kind) {
    case ExprKind::kConstant:
      break;
    case ExprKind::kName: {
      auto& name = static_cast<NameExpr&>(*expr);
      if (pass == Pass::kCollect) {
        load(name.name);
      } else {
        name.ref = ref(name.name);
      }
      break;
    }
    case ExprKind::kList:
    case ExprKind::kTuple:
    case ExprKind::kDict:
      for (Expr* item : static_cast<ItemsExpr*>(expr)->items) walk(item, pass);
      break;
    case ExprKind::kNot:
    case ExprKind::kNegate:
    case ExprKind::kPositive:
      walk(static_cast<UnaryExpr*>(expr)->operand, pass);
      break;
    case ExprKind::kConditional: {
      const bool soft = std::exchange(softFrame_, true);
      auto& conditional = static_cast<ConditionalExpr&>(*expr);
      walk(conditional.test, pass);
      walk(conditional.yes, pass);
      walk(conditional.no, pass);
      softFrame_ = soft;
      break;
    }
  }
  for (Step* step = expr->first; step != nullptr; step = step->next) walkStep(step, pass);
}

void Resolver::walkStep(Step* step, Pass pass) {
  switch (step->kind) {
    case StepKind::kAttribute:
      break;
    case StepKind::kItem:
      walk(static_cast<ItemStep*>(step)->key, pass);
      break;
    case StepKind::kSlice: {
      auto& slice = static_cast<SliceStep&>(*step);
      walk(slice.start, pass);
      walk(slice.stop, pass);
      walk(slice.step, pass);
      break;
    }
    case StepKind::kCall:
      walkArguments(static_cast<CallStep*>(step)->arguments, pass);
      break;
    case StepKind::kFilter:
    case StepKind::kTest: {
      auto& builtin = static_cast<BuiltinStep&>(*step);
      if (pass == Pass::kResolve) lookUp(builtin);
      walkArguments(builtin.arguments, pass);
      break;
    }
    case StepKind::kCompare:
      for (const Comparison& comparison : static_cast<CompareStep*>(step)->comparisons) {
        walk(comparison.right, pass);
      }
      break;
    default:
      walk(static_cast<OperatorStep*>(step)->right, pass);
  }
}

void Resolver::walkArguments(const CallArguments& arguments, Pass pass) {
  for (Expr* expr : arguments.positional) walk(expr, pass);
  for (const Keyword& keyword : arguments.named) walk(keyword.value, pass);
  walk(arguments.rest, pass);
  walk(arguments.restNamed, pass);
}

void Resolver::lookUp(BuiltinStep& step) {
  const bool isFilter = step.kind == StepKind::kFilter;
  for (size_t i = 0; isFilter && i < options_.filters.size(); ++i) {
    if (options_.filters[i] == step.name) step.host = static_cast<int32_t>(i);
  }
  if (step.host >= 0) return;
  step.builtin = isFilter ? findFilter(step.name) : findTest(step.name);
  if (step.builtin != nullptr || softFrame_) return;
  failure_.report(step.offset, isFilter ? "No filter named '{}'." : "No test named '{}'.",
                  step.name);
}

}  // namespace strata::jinja
