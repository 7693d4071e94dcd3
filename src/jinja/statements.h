// Defines the syntax tree of statements. Expressions are in ast.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/scopes.h"
#include "jinja/steps.h"

namespace strata::jinja {

enum class StmtKind : uint8_t {
  kText,
  kPrint,
  kIf,
  kFor,
  kSet,
  kSetBlock,
  kMacro,
  kCallBlock,
  kFilterBlock,
  kWith,
  kAutoescape,
  kScope,
  kBlock,
  kExtends,
  kInclude,
  kImport,
  kFromImport,
  kDo,
  kBreak,
  kContinue,
};

struct Stmt {
  Stmt(StmtKind what, uint32_t where) : kind(what), offset(where) {}
  StmtKind kind;
  bool hidden = false;  ///< Skipped once the template extends another.
  uint32_t offset;      ///< Errors inside the statement report this line.
  Stmt* next = nullptr;
};

/// A linked list of statements.
struct Body {
  Stmt* first = nullptr;
};

struct TextStmt : Stmt {
  TextStmt(uint32_t where, std::string_view what) : Stmt(StmtKind::kText, where), text(what) {}
  std::string_view text;
};

/// {{ value }} and {% do value %}
struct PrintStmt : Stmt {
  PrintStmt(StmtKind what, uint32_t where, Expr* expr) : Stmt(what, where), value(expr) {}
  Expr* value;
  bool folded =
      false;  ///< Constant: Jinja2 evaluates it while compiling, and emits no line marker.
};

struct Branch {
  uint32_t offset;
  Expr* test;
  Body body;
};

struct IfStmt : Stmt {
  explicit IfStmt(uint32_t where) : Stmt(StmtKind::kIf, where) {}
  std::span<Branch> branches;
  Body otherwise;
};

struct ForNode : Stmt {
  explicit ForNode(uint32_t where) : Stmt(StmtKind::kFor, where) {}
  Target target;
  Target testTarget;  ///< The same names, resolved in the scope of the test.
  Expr* iterable = nullptr;
  Expr* test = nullptr;
  bool recursive = false;
  bool usesLoop = false;
  Body body;
  Body otherwise;
  ScopeInfo bodyScope;
  ScopeInfo testScope;
  ScopeInfo otherwiseScope;
  uint32_t loopSlot = 0;
  FunctionInfo function;  ///< For recursive loops.
};

struct SetStmt : Stmt {
  SetStmt(uint32_t where, const Target& to, Expr* expr)
      : Stmt(StmtKind::kSet, where), target(to), value(expr) {}
  Target target;
  Expr* value;
};

/// A body whose output is captured and passed through filters: {% set x | f %}, {% filter f %}.
struct CaptureStmt : Stmt {
  CaptureStmt(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Target target;           ///< For set.
  Expr* filter = nullptr;  ///< Its head is an empty constant; the captured text replaces it.
  Body body;
  ScopeInfo scope;
};

struct Parameter {
  Name* name;
  Expr* defaultValue;  ///< Null without a default.
  uint32_t slot = 0;
};

struct MacroNode : Stmt {
  MacroNode(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Name* name = nullptr;  ///< Null for the body of a call block.
  Ref ref;
  std::span<Parameter> parameters;
  Body body;
  uint8_t uses = 0;  ///< kUsesCaller, kUsesKwargs, kUsesVarargs, unless they are parameters.
  uint32_t callerSlot = 0;
  uint32_t kwargsSlot = 0;
  uint32_t varargsSlot = 0;
  ScopeInfo scope;
  FunctionInfo function;
  Expr* call = nullptr;  ///< For a call block: the call that receives the body as `caller`.
};

struct WithStmt : Stmt {
  explicit WithStmt(uint32_t where) : Stmt(StmtKind::kWith, where) {}
  std::span<SetStmt*> sets;
  Body body;
  ScopeInfo scope;
};

/// {% autoescape value %}, {% generation %}
struct ScopeStmt : Stmt {
  ScopeStmt(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Expr* value = nullptr;
  Body body;
  ScopeInfo scope;
};

}  // namespace strata::jinja
