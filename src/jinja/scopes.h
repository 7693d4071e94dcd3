// Defines what the resolver computes for scopes and functions, and the targets of assignments.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/ast.h"

namespace strata::jinja {

/// An action on a slot when its scope is entered.
struct Entry {
  enum class Kind : uint8_t { kClear, kCopy };
  Kind kind;
  uint32_t slot;
  Ref from;  ///< kCopy
};

/// The names stored in a scope and its enclosing scopes, for `include` and scoped blocks.
struct Stores {
  struct Item {
    std::string_view name;
    uint32_t slot;
  };
  std::span<Item> items;
  const Stores* outer = nullptr;
  bool crossesFunction = false;  ///< `outer` belongs to the enclosing function.
};

/// A scope inside a function.
struct ScopeInfo {
  std::span<Entry> entries;
};

/// The runtime requirements of a function: a unit, a macro or a recursive loop.
struct FunctionInfo {
  uint32_t slots = 0;
  uint32_t end = 0;  ///< Errors after the last statement report this line.
  bool captured =
      false;  ///< An inner function refers to the frame, so the frame lives in the heap.
};

/// The target of an assignment: a name, an attribute of a namespace, or a tuple of targets.
struct Target {
  enum class Kind : uint8_t { kName, kAttribute, kTuple };
  Kind kind = Kind::kName;
  Name* name = nullptr;
  std::string_view attribute = {};
  std::span<Target> items = {};
  Ref ref = {};
};

}  // namespace strata::jinja
