// Why this file exists: a template once it is read. Nodes are plain structs in the template's own
// heap; what is left-recursive in the grammar (a.b | f + c and d) is a head and a list of steps, so
// that chains of any length are read and evaluated by a loop.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/value.h"

namespace strata::jinja {

struct Binding;  // resolver.h

/// The special names that a macro, loop or block may use.
enum Special : uint8_t {
  kUsesLoop = 1,
  kUsesCaller = 2,
  kUsesKwargs = 4,
  kUsesVarargs = 8,
  kUsesSelf = 16,
  kUsesSuper = 32,
};

/// A name; each stands once in a template.
struct Name {
  std::string_view text;
  uint8_t special = 0;
  // While names are resolved:
  Binding* binding = nullptr;  ///< The innermost.
  uint32_t unit = 0;           ///< The unit, counted from 1, that read it from the context...
  uint32_t contextIndex = 0;   ///< ...and where it stands among that unit's names.
};

/// Where a name's value lies once names are resolved.
struct Ref {
  enum class Kind : uint8_t { kLocal, kContext };
  Kind kind = Kind::kContext;
  uint8_t hops = 0;    ///< How many functions outwards.
  uint32_t index = 0;  ///< A slot of that function, or of the unit's names of the context.
};

enum class ExprKind : uint8_t {
  kConstant,
  kName,
  kList,
  kTuple,
  kDict,
  kNot,
  kNegate,
  kPositive,
  kConditional,
};

struct Step;

struct Expr {
  Expr(ExprKind what, uint32_t where) : kind(what), offset(where), anchor(where) {}
  ExprKind kind;
  uint32_t offset;  ///< Where it begins.
  uint32_t anchor;  ///< What Jinja2 calls its line.
  Step* first = nullptr;
  Step* last = nullptr;
};

struct ConstantExpr : Expr {
  ConstantExpr(uint32_t where, Value constant)
      : Expr(ExprKind::kConstant, where), value(constant) {}
  Value value;
};

struct NameExpr : Expr {
  NameExpr(uint32_t where, Name* what) : Expr(ExprKind::kName, where), name(what) {}
  Name* name;
  Ref ref;
};

/// List, tuple; of a dict, keys and values alternate.
struct ItemsExpr : Expr {
  ItemsExpr(ExprKind what, uint32_t where, std::span<Expr*> all) : Expr(what, where), items(all) {}
  std::span<Expr*> items;
};

struct UnaryExpr : Expr {
  UnaryExpr(ExprKind what, uint32_t where, Expr* of) : Expr(what, where), operand(of) {}
  Expr* operand;
};

struct ConditionalExpr : Expr {
  ConditionalExpr(uint32_t where, Expr* condition, Expr* then, Expr* otherwise)
      : Expr(ExprKind::kConditional, where), test(condition), yes(then), no(otherwise) {}
  Expr* test;
  Expr* yes;
  Expr* no;  ///< Null where there is no else.
};

}  // namespace strata::jinja
