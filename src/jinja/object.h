// Why this file exists: the values that are neither data nor undefined: what can be called, and the
// special names that Jinja2 puts into a template's hands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/builtin.h"
#include "jinja/collections.h"
#include "jinja/value.h"

namespace strata::jinja {

struct MacroNode;   // ast.h
struct ForNode;     // ast.h
struct Frame;       // frame.h
struct Activation;  // frame.h
struct Context;     // frame.h

enum class ObjectKind : uint8_t {
  kFunction,  ///< a global function, or a method bound to its receiver
  kHost,      ///< a function of the embedder
  kMacro,     ///< also `caller`
  kLoop,
  kCycler,
  kJoiner,
  kModule,  ///< what `import` gives
  kSelf,    ///< `self`
  kBlock,   ///< `self.name`, `super`
};

struct Object : Cell {
  explicit Object(ObjectKind what) : Cell(Type::kObject), kind(what) {}
  ObjectKind kind;
};

inline Object& Value::asObject() const {
  return const_cast<Object&>(static_cast<const Object&>(*cell_));
}

struct Function : Object {
  Function(const Builtin& row, Value self)
      : Object(ObjectKind::kFunction), builtin(row), receiver(self) {}
  const Builtin& builtin;
  Value receiver;  ///< Absent for a global function.
};

struct HostFunction : Object {
  explicit HostFunction(size_t position) : Object(ObjectKind::kHost), index(position) {}
  size_t index;
};

/// A macro and what it sees: the frame and the unit that it was defined in.
struct Macro : Object {
  Macro(const MacroNode& definition, Frame* frame, Activation* unit, bool escapes)
      : Object(ObjectKind::kMacro),
        node(definition),
        outer(frame),
        activation(unit),
        autoescape(escapes) {}
  const MacroNode& node;
  Frame* outer;
  Activation* activation;
  bool autoescape;
};

struct Cycler : Object {
  explicit Cycler(List* values) : Object(ObjectKind::kCycler), items(values) {}
  List* items;
  size_t at = 0;
};

struct Joiner : Object {
  explicit Joiner(Value text) : Object(ObjectKind::kJoiner), separator(text) {}
  Value separator;
  bool used = false;
};

struct Module : Object {
  Module(std::string_view templateName, Activation* unit, std::string_view rendered)
      : Object(ObjectKind::kModule), name(templateName), root(unit), text(rendered) {}
  std::string_view name;
  Activation* root;
  std::string_view text;  ///< What the template printed while it was imported.
};

struct SelfReference : Object {
  SelfReference(Context* where, std::string_view name)
      : Object(ObjectKind::kSelf), context(where), templateName(name) {}
  Context* context;
  std::string_view templateName;
};

struct BlockReference : Object {
  BlockReference(Context* where, std::string_view block, size_t level)
      : Object(ObjectKind::kBlock), context(where), name(block), depth(level) {}
  Context* context;
  std::string_view name;
  size_t depth;  ///< 0 is the block of the youngest child.
};

/// `object.name`, absent if there is no such attribute.
Value objectAttribute(Runtime& runtime, Object& object, std::string_view name);
/// Appends what Python prints: `<Macro 'm'>`, the text of an imported template.
void appendObject(std::string& out, const Object& object);
/// The name of its class.
std::string_view typeNameOf(const Object& object);
/// The Python module of that type, with a point behind it; "" for a builtin one.
std::string_view moduleOf(const Object& object);

}  // namespace strata::jinja
