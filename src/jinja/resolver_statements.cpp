// Implements the resolver's second pass. It visits statements in the order of jinja2/compiler.py,
// because an error in a statement without its own line marker reports the line of the previous
// marker.
#include <utility>

#include "jinja/resolver.h"

namespace strata::jinja {

Resolver::ResolveFlags Resolver::enterInner() {
  const ResolveFlags flags = {softFrame_, requireOutputCheck_, topLevel_, rootLevel_};
  softFrame_ = topLevel_ = rootLevel_ = false;
  return flags;
}

void Resolver::leaveInner(const ResolveFlags& flags) {
  softFrame_ = flags.softFrame;
  requireOutputCheck_ = flags.requireOutputCheck;
  topLevel_ = flags.topLevel;
  rootLevel_ = flags.rootLevel;
}

void Resolver::resolveInner(const Body& body) {
  const ResolveFlags flags = enterInner();
  resolve(body);
  leaveInner(flags);
}

void Resolver::resolve(const Body& body) {
  for (Stmt* statement = body.first; statement != nullptr; statement = statement->next) {
    resolveStatement(statement);
  }
}

void Resolver::resolveStatement(Stmt* statement) {
  switch (statement->kind) {
    case StmtKind::kText:
      statement->hidden = requireOutputCheck_;
      return;
    case StmtKind::kPrint:
      statement->hidden = requireOutputCheck_;
      if (requireOutputCheck_ && hasKnownExtends_) return;
      if (!static_cast<PrintStmt*>(statement)->folded) anchor(statement->offset);
      return walk(static_cast<PrintStmt*>(statement)->value, Pass::kResolve);
    case StmtKind::kDo:
      anchor(statement->offset);
      return walk(static_cast<PrintStmt*>(statement)->value, Pass::kResolve);
    case StmtKind::kIf:
      return resolveIf(static_cast<IfStmt&>(*statement));
    case StmtKind::kFor:
      return resolveFor(static_cast<ForNode&>(*statement));
    case StmtKind::kSet:
      anchor(statement->offset);
      resolveTarget(static_cast<SetStmt*>(statement)->target);
      return walk(static_cast<SetStmt*>(statement)->value, Pass::kResolve);
    case StmtKind::kSetBlock:
    case StmtKind::kFilterBlock:
      return resolveCapture(static_cast<CaptureStmt&>(*statement));
    case StmtKind::kMacro:
    case StmtKind::kCallBlock:
      return resolveMacro(static_cast<MacroNode&>(*statement));
    case StmtKind::kWith:
      return resolveWith(static_cast<WithStmt&>(*statement));
    case StmtKind::kAutoescape:
    case StmtKind::kScope:
      return resolveScope(static_cast<ScopeStmt&>(*statement));
    case StmtKind::kBlock:
      return resolveBlock(static_cast<BlockStmt&>(*statement));
    case StmtKind::kExtends:
    case StmtKind::kInclude:
    case StmtKind::kImport:
    case StmtKind::kFromImport:
      return resolveTemplate(static_cast<TemplateStmt&>(*statement));
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      anchor(statement->offset);
  }
}

void Resolver::resolveTarget(Target& target) {
  if (target.kind == Target::Kind::kTuple) {
    for (Target& item : target.items) resolveTarget(item);
  } else {
    target.ref = ref(target.name);
  }
}

void Resolver::resolveIf(IfStmt& statement) {
  const bool soft = std::exchange(softFrame_, true);
  const bool rootLevel = std::exchange(rootLevel_, false);
  for (jinja::Branch& branch : statement.branches) {
    anchor(branch.offset);
    walk(branch.test, Pass::kResolve);
    resolve(branch.body);
  }
  resolve(statement.otherwise);
  softFrame_ = soft;
  rootLevel_ = rootLevel;
}

void Resolver::resolveLoopTest(ForNode& loop) {
  if (loop.test == nullptr) return;
  anchor(loop.test->anchor);
  Scope scope(heap_);
  open(scope);
  collectTarget(loop.testTarget, true);
  walk(loop.test, Pass::kCollect);
  loop.testScope = finish(scope);
  resolveTarget(loop.testTarget);
  const ResolveFlags flags = enterInner();
  walk(loop.test, Pass::kResolve);
  leaveInner(flags);
  close();
}

void Resolver::resolveLoopBody(ForNode& loop) {
  Scope scope(heap_);
  open(scope);
  if (loop.usesLoop) declare("loop", loop.loopSlot);
  collectTarget(loop.target, true);
  collect(loop.body);
  loop.bodyScope = finish(scope);
  resolveTarget(loop.target);
  resolveInner(loop.body);
  close();
  if (loop.otherwise.first == nullptr) return;
  Scope otherwise(heap_);
  open(otherwise);
  collect(loop.otherwise);
  loop.otherwiseScope = finish(otherwise);
  resolveInner(loop.otherwise);
  close();
}

void Resolver::resolveFor(ForNode& loop) {
  walk(loop.iterable, Pass::kResolve);
  ScopeFunction function;
  if (loop.recursive) openFunction(function, loop.function);
  // The test has its own target. Copy it, because tuple targets share their items.
  if (loop.test != nullptr) loop.testTarget = copyOf(loop.target);
  resolveLoopTest(loop);
  anchor(loop.offset);
  resolveLoopBody(loop);
  if (!loop.recursive) return;
  closeFunction();
  anchor(loop.offset);
}

Target Resolver::copyOf(const Target& target) {
  Target copy = target;
  if (target.items.empty()) return copy;
  auto* items = heap_.array<Target>(target.items.size());
  for (size_t i = 0; i < target.items.size(); ++i) items[i] = copyOf(target.items[i]);
  copy.items = {items, target.items.size()};
  return copy;
}

void Resolver::resolveMacro(MacroNode& macro) {
  if (macro.name != nullptr) macro.ref = ref(macro.name);
  ScopeFunction function;
  openFunction(function, macro.function);
  Scope scope(heap_);
  open(scope);
  for (const Parameter& parameter : macro.parameters) {
    declare(parameter.name);
    uint8_t mask = parameter.name->special;
    if (mask == kUsesCaller && (macro.uses & mask) != 0 && parameter.defaultValue == nullptr) {
      failure_.report(macro.offset,
                      "When defining macros or call blocks the special \"caller\" argument must be "
                      "omitted or be given a default.");
    }
    macro.uses = static_cast<uint8_t>(macro.uses & ~mask);
  }
  if ((macro.uses & kUsesCaller) != 0) declare("caller", macro.callerSlot);
  if ((macro.uses & kUsesKwargs) != 0) declare("kwargs", macro.kwargsSlot);
  if ((macro.uses & kUsesVarargs) != 0) declare("varargs", macro.varargsSlot);
  for (const Parameter& parameter : macro.parameters) walk(parameter.defaultValue, Pass::kCollect);
  collect(macro.body);
  macro.scope = finish(scope);
  anchor(macro.offset);
  const ResolveFlags flags = enterInner();
  requireOutputCheck_ = false;
  for (Parameter& parameter : macro.parameters) {
    parameter.slot = find(parameter.name)->slot;
    walk(parameter.defaultValue, Pass::kResolve);
  }
  resolve(macro.body);
  leaveInner(flags);
  close();
  closeFunction();
  if (macro.call == nullptr) return;
  anchor(macro.offset);
  walk(macro.call, Pass::kResolve);
}

void Resolver::resolveCapture(CaptureStmt& capture) {
  const bool isSet = capture.kind == StmtKind::kSetBlock;
  Scope scope(heap_);
  open(scope);
  collect(capture.body);
  if (isSet) walk(capture.filter, Pass::kCollect);
  capture.scope = finish(scope);
  const ResolveFlags flags = enterInner();
  if (isSet) requireOutputCheck_ = false;
  resolve(capture.body);
  anchor(capture.offset);
  walk(capture.filter, Pass::kResolve);
  leaveInner(flags);
  close();
  if (isSet) resolveTarget(capture.target);
}

// The values are evaluated in the outer scope and report the line of the previous marker.
void Resolver::resolveWith(WithStmt& with) {
  Scope scope(heap_);
  open(scope);
  for (const SetStmt* set : with.sets) collectTarget(set->target, true);
  collect(with.body);
  with.scope = finish(scope);
  for (SetStmt* set : with.sets) {
    resolveTarget(set->target);
    set->offset = lastAnchor_;
  }
  scope_ = scope.outer;
  for (Binding* binding : scope.bindings) binding->name->binding = binding->outer;
  for (SetStmt* set : with.sets) walk(set->value, Pass::kResolve);
  for (Binding* binding : scope.bindings) binding->name->binding = binding;
  scope_ = &scope;
  resolveInner(with.body);
  close();
}

void Resolver::resolveScope(ScopeStmt& statement) {
  Scope scope(heap_);
  open(scope);
  walk(statement.value, Pass::kCollect);
  collect(statement.body);
  statement.scope = finish(scope);
  statement.offset = lastAnchor_;
  const ResolveFlags flags = enterInner();
  walk(statement.value, Pass::kResolve);
  resolve(statement.body);
  leaveInner(flags);
  close();
}

void Resolver::resolveBlock(BlockStmt& block) {
  block.hidden = topLevel_ && parsed_.extends;
  if (block.scoped) block.stores = storesOf(*scope_);
  anchor(block.offset);
}

void Resolver::resolveTemplate(TemplateStmt& statement) {
  statement.repeatOffset = lastAnchor_;
  anchor(statement.offset);
  walk(statement.source, Pass::kResolve);
  statement.stores = storesOf(*scope_);
  if (statement.alias != nullptr) statement.ref = ref(statement.alias);
  for (ImportedName& name : statement.names) name.ref = ref(name.alias);
  if (statement.withContext || statement.kind == StmtKind::kExtends) references_.add(&statement);
  if (statement.kind != StmtKind::kExtends) return;
  if (!topLevel_) {
    failure_.report(statement.offset, "cannot use extend from a non top-level scope");
  }
  hasKnownExtends_ = hasKnownExtends_ || rootLevel_;
}

}  // namespace strata::jinja
