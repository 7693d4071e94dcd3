// Why this file exists: a template once it is read. Nodes are plain structs in the template's own
// heap; what is left-recursive in the grammar (a.b | f + c and d) is a head and a list of steps, so
// that chains of any length are read and evaluated by a loop.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/builtin.h"
#include "jinja/ops.h"
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
  ConstantExpr(uint32_t where, const Value& constant)
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

enum class StepKind : uint8_t {
  kAttribute,
  kItem,
  kSlice,
  kCall,
  kFilter,
  kTest,
  kBinary,
  kCompare,
  kConcat,
  kAnd,
  kOr,
};

struct Step {
  Step(StepKind what, uint32_t where) : kind(what), offset(where) {}
  StepKind kind;
  uint32_t offset;
  Step* next = nullptr;
};

struct AttributeStep : Step {
  AttributeStep(uint32_t where, std::string_view what)
      : Step(StepKind::kAttribute, where), name(what) {}
  std::string_view name;
};

struct ItemStep : Step {
  ItemStep(uint32_t where, Expr* what) : Step(StepKind::kItem, where), key(what) {}
  Expr* key;
};

struct SliceStep : Step {
  SliceStep(uint32_t where, Expr* from, Expr* to, Expr* by)
      : Step(StepKind::kSlice, where), start(from), stop(to), step(by) {}
  Expr* start;  ///< Null where left out, as are the others.
  Expr* stop;
  Expr* step;
};

struct Keyword {
  std::string_view name;
  Expr* value;
};

struct CallArguments {
  std::span<Expr*> positional;
  std::span<Keyword> named;
  Expr* rest = nullptr;       ///< *rest
  Expr* restNamed = nullptr;  ///< **restNamed
};

struct CallStep : Step {
  CallStep(uint32_t where, const CallArguments& what)
      : Step(StepKind::kCall, where), arguments(what) {}
  CallArguments arguments;
};

/// A filter or test.
struct BuiltinStep : Step {
  BuiltinStep(StepKind what, uint32_t where, std::string_view called, const CallArguments& with)
      : Step(what, where), name(called), arguments(with) {}
  std::string_view name;
  CallArguments arguments;
  bool negated = false;              ///< is not
  const Builtin* builtin = nullptr;  ///< Null for one of the host, and where there is none.
  int32_t host = -1;                 ///< Its index in Options::filters.
};

/// + - * / // % ** ~ and or
struct OperatorStep : Step {
  OperatorStep(StepKind what, uint32_t where, Operator with, Expr* operand)
      : Step(what, where), op(with), right(operand) {}
  Operator op;
  Expr* right;
};

struct Comparison {
  Operator op;
  Expr* right;
};

/// a < b < c
struct CompareStep : Step {
  CompareStep(uint32_t where, std::span<Comparison> all)
      : Step(StepKind::kCompare, where), comparisons(all) {}
  std::span<Comparison> comparisons;
};

}  // namespace strata::jinja
