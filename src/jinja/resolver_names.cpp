// Implements the resolver's first pass: collects the names of a scope and how they are initialized
// (jinja2/idtracking.py).
#include "jinja/resolver.h"

namespace strata::jinja {

void Resolver::collect(const Body& body) {
  for (Stmt* statement = body.first; statement != nullptr; statement = statement->next) {
    collectStatement(statement);
  }
}

// Inner scopes are skipped: each collects its own names when it is opened.
void Resolver::collectStatement(Stmt* statement) {
  switch (statement->kind) {
    case StmtKind::kPrint:
    case StmtKind::kDo:
      return walk(static_cast<PrintStmt*>(statement)->value, Pass::kCollect);
    case StmtKind::kIf:
      return collectIf(static_cast<IfStmt&>(*statement));
    case StmtKind::kFor:
      return walk(static_cast<ForNode*>(statement)->iterable, Pass::kCollect);
    case StmtKind::kSet:
      walk(static_cast<SetStmt*>(statement)->value, Pass::kCollect);
      return collectTarget(static_cast<SetStmt*>(statement)->target, false);
    case StmtKind::kSetBlock:
      return collectTarget(static_cast<CaptureStmt*>(statement)->target, false);
    case StmtKind::kFilterBlock:
      return walk(static_cast<CaptureStmt*>(statement)->filter, Pass::kCollect);
    case StmtKind::kMacro:
      return store(static_cast<MacroNode*>(statement)->name);
    case StmtKind::kCallBlock:
      return walk(static_cast<MacroNode*>(statement)->call, Pass::kCollect);
    case StmtKind::kWith:
      for (const SetStmt* set : static_cast<WithStmt*>(statement)->sets) {
        walk(set->value, Pass::kCollect);
      }
      return;
    case StmtKind::kExtends:
    case StmtKind::kInclude:
    case StmtKind::kImport:
    case StmtKind::kFromImport: {
      auto& source = static_cast<TemplateStmt&>(*statement);
      walk(source.source, Pass::kCollect);
      if (source.alias != nullptr) {
        store(source.alias);
        find(source.alias)->imported = true;
      }
      for (const ImportedName& name : source.names) {
        store(name.alias);
        find(name.alias)->imported = true;
      }
      return;
    }
    default:
      return;
  }
}

void Resolver::collectTarget(const Target& target, bool parameter) {
  switch (target.kind) {
    case Target::Kind::kName:
      return parameter ? declare(target.name) : store(target.name);
    case Target::Kind::kAttribute:
      return load(target.name);
    case Target::Kind::kTuple:
      for (const Target& item : target.items) collectTarget(item, parameter);
  }
}

// Undoes the changes of a branch and returns them.
Resolver::Branch Resolver::endBranch(size_t mark) {
  HeapVector<Change> changes(heap_);
  for (const Change& change : log_.span().subspan(mark)) changes.add(change);
  log_.shrink(mark);
  for (Change& change : changes) change.load = change.binding->load;
  for (const Change& change : changes.span()) {
    (change.defines ? change.binding->defined : change.binding->stored) = false;
  }
  return changes.span();
}

// Jinja2 treats all elif branches as the second of three branches (FrameSymbolVisitor.visit_If).
void Resolver::collectIf(IfStmt& statement) {
  walk(statement.branches[0].test, Pass::kCollect);
  size_t mark = log_.size();
  collect(statement.branches[0].body);
  const Branch body = endBranch(mark);
  mark = log_.size();
  for (const auto& elif : statement.branches.subspan(1)) {
    walk(elif.test, Pass::kCollect);
    const size_t inner = log_.size();
    collect(elif.body);
    joinBranches(endBranch(inner), {}, {});
  }
  const Branch elifs = endBranch(mark);
  mark = log_.size();
  collect(statement.otherwise);
  joinBranches(body, elifs, endBranch(mark));
}

void Resolver::joinBranches(const Branch& body, const Branch& elifs, const Branch& otherwise) {
  const size_t mark = log_.size();
  for (const Branch* branch : {&body, &elifs, &otherwise}) {
    for (const Change& change : *branch) {
      Binding& binding = *change.binding;
      binding.load = change.load;
      bool& state = change.defines ? binding.defined : binding.stored;
      if (!change.defines) ++binding.branches;
      if (!state) log_.add(change);
      state = true;
    }
  }
  for (size_t i = mark; i < log_.size(); ++i) {
    Binding& binding = *log_[i].binding;
    if (log_[i].defines) continue;
    if (binding.branches != 3) {
      binding.load = binding.outer == nullptr ? Binding::Load::kContext : Binding::Load::kCopy;
    }
    binding.branches = 0;
  }
}

}  // namespace strata::jinja
