// Why this file exists: the statements of a template once it is read (expressions are in ast.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/ast.h"

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
  bool hidden = false;  ///< Not to run once the template extends another.
  uint32_t offset;      ///< Its line is that of all errors inside.
  Stmt* next = nullptr;
};

/// A list of statements.
struct Body {
  Stmt* first = nullptr;
};

/// What happens to a slot when its scope is entered.
struct Entry {
  enum class Kind : uint8_t { kClear, kCopy };
  Kind kind;
  uint32_t slot;
  Ref from;  ///< kCopy
};

/// The names stored in a scope and the scopes around it, for `include` and scoped blocks.
struct Stores {
  struct Item {
    std::string_view name;
    uint32_t slot;
  };
  std::span<Item> items;
  const Stores* outer = nullptr;
  bool crossesFunction = false;  ///< `outer` belongs to the function outside.
};

/// A scope inside a function: what to do on entering it.
struct ScopeInfo {
  std::span<Entry> entries;
};

/// What a function (a unit, a macro, a recursive loop) needs to run.
struct FunctionInfo {
  uint32_t slots = 0;
  bool captured = false;  ///< A function is defined inside, so its frame may outlive it.
};

struct TextStmt : Stmt {
  TextStmt(uint32_t where, std::string_view what) : Stmt(StmtKind::kText, where), text(what) {}
  std::string_view text;
};

/// {{ value }}, and {% do value %}
struct PrintStmt : Stmt {
  PrintStmt(StmtKind what, uint32_t where, Expr* expr) : Stmt(what, where), value(expr) {}
  Expr* value;
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

/// What is assigned to: a name, a namespace's attribute, or a tuple of targets.
struct Target {
  enum class Kind : uint8_t { kName, kAttribute, kTuple };
  Kind kind = Kind::kName;
  Name* name = nullptr;
  std::string_view attribute = {};
  std::span<Target> items = {};
  Ref ref = {};
};

struct ForNode : Stmt {
  explicit ForNode(uint32_t where) : Stmt(StmtKind::kFor, where) {}
  Target target;
  Target testTarget;  ///< The same names, in the scope of the test.
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
  FunctionInfo function;  ///< recursive
};

struct SetStmt : Stmt {
  SetStmt(uint32_t where, const Target& to, Expr* expr)
      : Stmt(StmtKind::kSet, where), target(to), value(expr) {}
  Target target;
  Expr* value;
};

/// A body whose output goes through filters: {% set x | f %}, {% filter f %}.
struct CaptureStmt : Stmt {
  CaptureStmt(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Target target;           ///< Of set.
  Expr* filter = nullptr;  ///< Its head is an empty constant that the text stands for.
  Body body;
  ScopeInfo scope;
};

struct Parameter {
  Name* name;
  Expr* defaultValue;  ///< Null where there is none.
  uint32_t slot = 0;
};

struct MacroNode : Stmt {
  MacroNode(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Name* name = nullptr;  ///< Null for the body of a call block.
  Ref ref;
  std::span<Parameter> parameters;
  Body body;
  uint8_t uses = 0;  ///< kUsesCaller, kUsesKwargs, kUsesVarargs: not among the parameters.
  uint32_t callerSlot = 0;
  uint32_t kwargsSlot = 0;
  uint32_t varargsSlot = 0;
  ScopeInfo scope;
  FunctionInfo function;
  Expr* call = nullptr;  ///< Of a call block: what is called with it.
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

struct Unit;

struct BlockStmt : Stmt {
  explicit BlockStmt(uint32_t where) : Stmt(StmtKind::kBlock, where) {}
  std::string_view name;
  bool scoped = false;
  bool required = false;
  uint8_t uses = 0;
  Body body;
  Unit* unit = nullptr;
  const Stores* stores = nullptr;
};

struct ImportedName {
  std::string_view name;
  Name* alias;
  Ref ref;
};

/// extends, include, import, from
struct TemplateStmt : Stmt {
  TemplateStmt(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Expr* source = nullptr;
  uint32_t repeatOffset = 0;  ///< Of extends: where Jinja2 tells that it is not the first.
  bool ignoreMissing = false;
  bool withContext = false;
  Name* alias = nullptr;  ///< import
  Ref ref;
  std::span<ImportedName> names;  ///< from
  const Stores* stores = nullptr;
};

/// A body with a context of its own: the template itself, or one of its blocks.
struct Unit {
  std::string_view name;  ///< Of a block.
  Body body;
  uint8_t uses = 0;
  FunctionInfo function;
  ScopeInfo scope;
  uint32_t selfSlot = 0;
  uint32_t superSlot = 0;
  std::span<std::string_view> contextNames;  ///< What it reads from its context.

  /// What the template assigns at its top level, sorted by name: others import it.
  struct Export {
    std::string_view name;
    uint32_t slot;
    bool isPublic;
  };
  std::span<Export> exports;
};

}  // namespace strata::jinja
