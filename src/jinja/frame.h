// Defines where a running template keeps its variables.
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

/// The variables of one running function: a unit, a macro or a recursive loop.
struct Frame {
  Frame* outer;  ///< The frame of the enclosing function.
  Value* slots;
};

/// One running unit: the root of a template or a block.
struct Activation {
  const Compiled* compiled;
  const Unit* unit;
  Context* context;
  Frame* frame = nullptr;
  Value* fromContext = nullptr;      ///< By index in Unit::contextNames; absent until first read.
  const Compiled* parent = nullptr;  ///< The extended template, set by {% extends %}.
};

/// The definitions of one block name, starting with the most derived template.
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

/// The root of a template that runs or ran in a context. Names that it exports are visible there.
struct RootLink {
  Activation* activation;
  RootLink* older;
};

/// The namespace for names that no scope of a unit assigns. It holds the exports of the inheritance
/// chain, the values passed by include or import with context, and a link to the enclosing context.
/// It corresponds to jinja2.runtime.Context.
struct Context {
  Context* outer = nullptr;
  Dict* locals = nullptr;
  RootLink* roots = nullptr;
  BlockChain* blocks = nullptr;
  bool isolated = false;  ///< Contains only globals, not even the render's variables.
};

/// The JSON text that a host function returned. Values read from it are views into the text.
struct HostReply {
  explicit HostReply(std::string json) : text(std::move(json)) {}
  std::string text;
  json::Tape tape;
};

/// A stack of slots and arguments. Memory is reserved in chunks, so pointers stay valid until
/// release.
class ValueStack {
 public:
  struct Mark {
    size_t chunk;
    size_t used;
  };

  Mark mark() const { return {chunk_, used_}; }
  /// Returns `count` absent values, valid until release() of an earlier mark.
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
