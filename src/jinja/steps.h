// Why this file exists: the parts of an expression that follow its head (ast.h), each applied to
// what came before.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/ast.h"
#include "jinja/builtin.h"
#include "jinja/ops.h"

namespace strata::jinja {

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
      : Step(StepKind::kAttribute, where),
        name(what),
        isDictMethod(findMethod(Type::kDict, what) != nullptr) {}
  std::string_view name;
  bool isDictMethod;  ///< Then a dict's member of that name is hidden.
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
