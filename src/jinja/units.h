// Defines the syntax nodes of blocks and of the statements that load other templates.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/statements.h"

namespace strata::jinja {

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

/// The statements extends, include, import and from.
struct TemplateStmt : Stmt {
  TemplateStmt(StmtKind what, uint32_t where) : Stmt(what, where) {}
  Expr* source = nullptr;
  uint32_t repeatOffset = 0;  ///< For extends: where Jinja2 reports a second extends.
  bool ignoreMissing = false;
  bool withContext = false;
  Name* alias = nullptr;  ///< For import.
  Ref ref;
  std::span<ImportedName> names;  ///< For from.
  const Stores* stores = nullptr;
};

/// A body with its own context: the root of a template, or one of its blocks.
struct Unit {
  std::string_view name;  ///< The block's name; empty for the root.
  Body body;
  uint8_t uses = 0;
  FunctionInfo function;
  ScopeInfo scope;
  uint32_t selfSlot = 0;
  uint32_t superSlot = 0;
  std::span<std::string_view> contextNames;  ///< The names that it reads from its context.

  /// A name that the template assigns at its top level. Other templates can import it unless it is
  /// private. Sorted by name.
  struct Export {
    std::string_view name;
    uint32_t slot;
    bool isPublic;
  };
  std::span<Export> exports;
};

}  // namespace strata::jinja
