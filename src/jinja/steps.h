// Defines the steps of an expression. Each is applied to the result of the previous one, starting
// with the head (ast.h).
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
  bool isDictMethod;  ///< Then the attribute is the method, even if a dict has a member of that
                      ///< name.
};

struct ItemStep : Step {
  ItemStep(uint32_t where, Expr* what) : Step(StepKind::kItem, where), key(what) {}
  Expr* key;
};

struct SliceStep : Step {
  SliceStep(uint32_t where, Expr* from, Expr* to, Expr* by)
      : Step(StepKind::kSlice, where), start(from), stop(to), step(by) {}
  Expr* start;  ///< Null if omitted, as are the others.
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

/// A filter or a test.
struct BuiltinStep : Step {
  BuiltinStep(StepKind what, uint32_t where, std::string_view called, const CallArguments& with)
      : Step(what, where), name(called), arguments(with) {}
  std::string_view name;
  CallArguments arguments;
  bool negated = false;              ///< is not
  const Builtin* builtin = nullptr;  ///< Null for host filters and for unknown names.
  int32_t host = -1;                 ///< The index in Options::filters.
};

/// The operators + - * / // % ** ~ and or.
struct OperatorStep : Step {
  OperatorStep(StepKind what, uint32_t where, Operator with, Expr* operand)
      : Step(what, where), op(with), right(operand) {}
  Operator op;
  bool plain = false;  ///< For `~`: the result is never Markup.
  Expr* right;
};

struct Comparison {
  Operator op;
  Expr* right;
};

/// A comparison chain such as a < b < c.
struct CompareStep : Step {
  CompareStep(uint32_t where, std::span<Comparison> all)
      : Step(StepKind::kCompare, where), comparisons(all) {}
  std::span<Comparison> comparisons;
};

}  // namespace strata::jinja
