// Defines the syntax tree of expressions. Nodes are plain structs in the template's heap.
// Left-recursive parts of the grammar (a.b | f + c and d) are stored as a head and a list of steps,
// so chains of any length are parsed and evaluated by a loop:
//
//     a.b | f + c   =   head: a   steps: [.b] [| f] [+ c]
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/value.h"

namespace strata::jinja {

struct Binding;  // resolver.h

/// The special names that a macro, loop or block uses, as a bit set.
enum Special : uint8_t {
  kUsesLoop = 1,
  kUsesCaller = 2,
  kUsesKwargs = 4,
  kUsesVarargs = 8,
  kUsesSelf = 16,
  kUsesSuper = 32,
};

/// A name. Each name occurs once per template, see names.h.
struct Name {
  std::string_view text;
  uint8_t special = 0;
  // Used while names are resolved:
  Binding* binding = nullptr;  ///< The innermost binding.
  uint32_t unit = 0;  ///< The unit, counted from 1, that last read the name from its context.
  uint32_t contextIndex = 0;  ///< The name's index in that unit's contextNames.
};

/// The location of a name's value after names are resolved.
struct Ref {
  enum class Kind : uint8_t { kLocal, kContext };
  Kind kind = Kind::kContext;
  uint8_t hops = 0;    ///< The number of enclosing functions to go outward.
  uint32_t index = 0;  ///< A slot of that function, or an index into the unit's contextNames.
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
  uint32_t offset;  ///< Offset of the first token.
  uint32_t anchor;  ///< Offset of the token whose line Jinja2 reports for the node.
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

/// A list or tuple; in a dict, keys and values alternate.
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
  Expr* no;  ///< Null without an else.
};

}  // namespace strata::jinja
