// Defines the syntax tree of a pongo2 template. Tags and expressions share one struct, so the code
// that reads and runs them stays small. Nodes live in the Heap of their template.
#pragma once

#include <cstdint>
#include <string_view>

#include "jinja/source.h"
#include "jinja/value.h"

namespace strata::jinja {
class Runtime;
}

namespace strata::jinja::pongo2 {

struct Document;
struct Filter;

enum class NodeKind : uint8_t {
  // Expressions: `first` is the operand, `second` the right operand or the list of what follows.
  kConstant,    ///< value
  kVariable,    ///< value: the name; second: its parts
  kField,       ///< value: the name
  kIndex,       ///< value
  kSubscript,   ///< first
  kCall,        ///< first: the arguments
  kFiltered,    ///< second: kFilter nodes
  kFilter,      ///< value: the name; first: the argument
  kSigned,      ///< flags kMinus and kNot
  kArithmetic,  ///< second: kOperand nodes
  kOperand,     ///< op; first
  kPower,
  kRelation,  ///< op
  kLogic,     ///< op
  // Tags: `first` is what the tag evaluates, `second` its body, `third` the body of its else.
  kText,  ///< value
  kPrint,
  kIf,       ///< first: kBranch nodes
  kBranch,   ///< first: the condition, null for else
  kFor,      ///< value: the name of the item or key; other: the name of the value
  kSet,      ///< value: the name. Also a pair of `with`, a parameter and an imported macro.
  kWith,     ///< first: kSet nodes
  kMacro,    ///< value: the name; first: kSet nodes
  kBlock,    ///< value: the name
  kInclude,  ///< third: kSet nodes
  kImport,   ///< first: kSet nodes whose `link` is the macro
  kFilterTag,
  kAutoescape,
  kSpaceless,
  kCycle,
  kFirstof,
  kIfchanged,
  kIfequal,
  kNow,
  kWidthratio,
  kLorem,
};

/// The operators, named by their first character; kInOperator for `in`.
using Op = char;
inline constexpr Op kInOperator = 'i';
inline constexpr Op kLessEqual = 'l';
inline constexpr Op kGreaterEqual = 'g';

enum NodeFlag : uint8_t {
  kSafe = 1,       ///< The filter `safe` occurs in each part of the expression.
  kNot = 2,        ///< not; ifnotequal
  kMinus = 4,      ///< A negative sign
  kOn = 8,         ///< autoescape on
  kSilent = 8,     ///< cycle
  kReversed = 16,  ///< for
  kSorted = 32,    ///< for
  kOnly = 16,      ///< include
  kIfExists = 32,  ///< include
  kFake = 16,      ///< now
  kElse = 64,      ///< The tag has a `third` body, perhaps an empty one.
};

struct Node {
  Node(NodeKind what, uint32_t where) : kind(what), offset(where) {}
  NodeKind kind;
  uint8_t flags = 0;
  Op op = 0;
  uint32_t offset;
  uint32_t slot = 0;  ///< Where a render keeps the state of the tag.
  Value value;
  Value other;
  Node* next = nullptr;
  Node* first = nullptr;
  Node* second = nullptr;
  Node* third = nullptr;
  const Node* link = nullptr;  ///< The next block or exported macro of the document.
  union {
    const Filter* filter = nullptr;
    const Document* document;  ///< The included template; the template of a macro.
  };
  int32_t host = -1;  ///< For a filter: its index in Options::filters.
};

/// Returns the node of that name in a chain of blocks or macros, or null.
inline const Node* findNamed(const Node* chain, std::string_view name) {
  while (chain != nullptr && chain->value.text() != name) chain = chain->link;
  return chain;
}

/// A list that grows at its end.
struct NodeList {
  Node* first = nullptr;
  Node** tail = &first;

  void add(Node* node) {
    *tail = node;
    tail = &node->next;
  }
};

/// One parsed template. Each include and extends parses its own, as pongo2 does, because tags such
/// as cycle have a state.
struct Document {
  const Source* source = nullptr;
  Document* parent = nullptr;  ///< The template that it extends.
  Document* child = nullptr;   ///< The template that extends it.
  Node* body = nullptr;
  const Node* blocks = nullptr;
  const Node* macros = nullptr;  ///< Those that other templates can import.
};

}  // namespace strata::jinja::pongo2
