// Reads values as pongo2's value.go does. JSON's types stand for Go's: none is nil, an integer an
// int, a list a []interface{}, a dict a map[string]interface{}; a tuple is a []string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/object.h"
#include "jinja/pongo2/node.h"
#include "jinja/runtime.h"

namespace strata::jinja::pongo2 {

struct Scope;
struct BlockLevel;

/// A nil pointer to a loop, which as in Go is not equal to nil.
inline constexpr Cell kNoLoop(Type::kNone);

/// What the body of a loop sees as `forloop`. As in Go, what a template keeps of it, as with
/// {% set x = forloop.Counter %}, refers to it and changes with it.
struct LoopInfo : Object {
  LoopInfo() : Object(ObjectKind::kLoop) {}
  /// Sets the fields for the item at `index`.
  void advance(int64_t index, int64_t count);

  Scalar counter{int64_t{0}};
  Scalar counter0{int64_t{0}};
  Scalar revcounter{int64_t{0}};
  Scalar revcounter0{int64_t{0}};
  Cell first{Type::kBool, false, 1};
  Cell last{Type::kBool};
  Value parent = kNoLoop;
};

/// A macro, and the scope that ran its tag.
struct MacroValue : Object {
  MacroValue(const Node& macro, Scope* around, const Document* from)
      : Object(ObjectKind::kMacro), node(macro), scope(around), document(from) {}
  const Node& node;
  Scope* scope;
  const Document* document;  ///< The template that defines it.
};

/// What a block sees as `block`: the definitions below the running one. `super` is its method.
struct BlockInfo : Object {
  BlockInfo(std::string_view block, size_t below, Scope* around,
            ObjectKind what = ObjectKind::kSelf)
      : Object(what), name(block), level(below), scope(around) {}
  std::string_view name;
  size_t level;  ///< The number of definitions below.
  Scope* scope;
};

/// The value of {% cycle ... as name %}.
struct CycleValue : Object {
  CycleValue(const Node& tag, Value item) : Object(ObjectKind::kCycler), node(tag), value(item) {}
  const Node& node;
  Value value;
};

/// Returns what Go makes of a JSON number beyond 64 bits: a float64. Other values stay the same.
Value goNumber(Runtime& runtime, Value value);

inline bool isWhole(Value value) { return value.is(Type::kInt); }
inline bool isObject(Value value, ObjectKind kind) {
  return value.is(Type::kObject) && value.asObject().kind == kind;
}
inline bool isFunction(Value value) {
  if (!value.is(Type::kObject)) return false;
  const ObjectKind kind = value.asObject().kind;
  return kind == ObjectKind::kMacro || kind == ObjectKind::kBlock || kind == ObjectKind::kHost;
}

/// Returns the entries of a map, or null for other values.
inline Dict* entriesOf(Value value) {
  if (value.is(Type::kNamespace)) return value.asNamespace().members;
  return value.is(Type::kDict) ? &value.asDict() : nullptr;
}

/// Returns Value.String(): what {{ value }} prints, before it is escaped.
Value textOf(Runtime& runtime, Value value);
/// Returns Value.Integer() and Value.Float(): 0 for what is no number.
int64_t integerOf(Value value);
double floatOf(Value value);
/// Converts to an int as Go does on 64-bit machines: the smallest integer if it does not fit.
int64_t toInteger(double value);
/// Returns Value.IsTrue().
bool isTrue(Value value);
/// Returns Value.Negate().
Value negated(Runtime& runtime, Value value);
/// Returns `value` without the mark of a safe string.
inline Value unsafe(Runtime& runtime, Value value) {
  return value.isSafe() ? runtime.string(value.text()) : value;
}
/// Returns Value.Len(): code points, items or entries.
int64_t lengthOf(Value value);
bool canSlice(Value value);
/// Returns Value.Index(): an item or a character.
Value itemAt(Runtime& runtime, Value value, int64_t index);
/// Returns Value.EqualValueTo(). Fails where Go panics: for two lists or two maps.
Tristate isEqual(Runtime& runtime, Value left, Value right);
/// Returns Value.Contains().
Tristate isIn(Runtime& runtime, Value item, Value container);
/// Returns the name of the value's type in Go; of loops and cycles, that behind the pointer.
std::string_view goType(Value value);
/// Returns whether Go has a pointer for the value: a loop or a cycle.
bool isPointer(Value value);

/// Returns `object.name` for a loop, block, cycle or map; fails for other values.
Value fieldOf(Runtime& runtime, Value object, std::string_view name);
/// Returns `object.index`: an item, or the byte of a string; nil if there is none.
Value elementOf(Runtime& runtime, Value object, int64_t index);
/// Returns `object[key]`.
Value subscriptOf(Runtime& runtime, Value object, Value key);

}  // namespace strata::jinja::pongo2
