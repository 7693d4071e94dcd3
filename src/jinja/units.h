// Why this file exists: blocks, and the statements that bring in other templates.
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
