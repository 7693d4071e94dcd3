// Why this file exists: where the values of a running template are kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jinja/collections.h"
#include "jinja/loader.h"
#include "jinja/object.h"

namespace strata::jinja {

/// The variables of one running function.
struct Frame {
  Frame* outer;  ///< Of the function that it was defined in.
  Value* slots;
};

/// One running unit: a template's root or a block.
struct Activation {
  const Compiled* compiled;
  const Unit* unit;
  Context* context;
  Frame* frame = nullptr;
  Value* fromContext = nullptr;      ///< By index of Unit::contextNames; absent until first read.
  const Compiled* parent = nullptr;  ///< What it extends, once it does.
};

/// All blocks of one name, the youngest child's first.
struct BlockLink {
  const BlockStmt* block;
  const Compiled* compiled;
  BlockLink* next = nullptr;
};
struct BlockChain {
  std::string_view name;
  BlockLink* first;
  BlockChain* next = nullptr;
};

/// A template's root that ran, or runs, in a context; the names that it exports are seen there.
struct RootLink {
  Activation* activation;
  RootLink* older;
};

/// Where names that no scope of a unit assigns are looked up: what the templates of an inheritance
/// chain assigned, what was handed over (include, import with context), the context around.
struct Context {
  Context* outer = nullptr;
  Dict* locals = nullptr;
  RootLink* roots = nullptr;
  BlockChain* blocks = nullptr;
  bool isolated = false;  ///< Sees globals only, not even the render's variables.
};

/// What the host answered; values read from it lie in its text.
struct Answered {
  explicit Answered(std::string json) : text(std::move(json)) {}
  std::string text;
  json::Tape tape;
};

/// Slots and arguments of what is running now, taken and given back in order. Places never move.
class ValueStack {
 public:
  struct Mark {
    size_t chunk;
    size_t used;
  };

  Mark mark() const { return {chunk_, used_}; }
  /// `count` absent values.
  Value* take(size_t count);
  void release(const Mark& mark) {
    chunk_ = mark.chunk;
    used_ = mark.used;
  }

 private:
  std::vector<std::vector<Value>> chunks_;
  size_t chunk_ = 0;
  size_t used_ = 0;
};

}  // namespace strata::jinja
