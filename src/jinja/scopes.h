// Why this file exists: what the resolver finds out about the scopes and functions of a template,
// and what an assignment assigns to.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "jinja/ast.h"

namespace strata::jinja {

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

/// What is assigned to: a name, a namespace's attribute, or a tuple of targets.
struct Target {
  enum class Kind : uint8_t { kName, kAttribute, kTuple };
  Kind kind = Kind::kName;
  Name* name = nullptr;
  std::string_view attribute = {};
  std::span<Target> items = {};
  Ref ref = {};
};

}  // namespace strata::jinja
