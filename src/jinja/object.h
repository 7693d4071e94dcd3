// Defines the values that are neither data nor undefined: callables and the special objects that
// Jinja2 provides, such as `loop`, `self` and imported modules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jinja/builtin.h"
#include "jinja/collections.h"
#include "jinja/value.h"

namespace strata::jinja {

struct MacroNode;   // statements.h
struct ForNode;     // statements.h
struct Frame;       // frame.h
struct Activation;  // frame.h
struct Context;     // frame.h

enum class ObjectKind : uint8_t {
  kFunction,  ///< a global function, or a method bound to its receiver
  kHost,      ///< a function of the host
  kMacro,     ///< a macro or `caller`
  kLoop,
  kCycler,
  kJoiner,
  kModule,  ///< an imported template
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

/// A macro with its lexical environment: the frame and the unit in which it was defined.
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
  std::string_view text;  ///< The text that the template printed while it was imported.
  bool joinable = true;   ///< False if a filter block in it returned a value that is not a string.
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
  size_t depth;  ///< 0 is the block of the most derived template.
};

/// The error of joining the output of a filter block that returned a value other than a string.
inline constexpr const char* kUnjoinable = "the filters of a filter block must return a string";

/// Returns `object.name`, or an absent value if there is no such attribute.
Value objectAttribute(Runtime& runtime, Object& object, std::string_view name);
/// Appends str(object): `<Macro 'm'>`, or the text of an imported template. Returns false after a
/// failure.
bool appendObject(Runtime& runtime, std::string& out, const Object& object);
/// Returns the name of the object's Python class.
std::string_view typeNameOf(const Object& object);
/// Returns the Python module of that class, followed by a dot; empty for a builtin class.
std::string_view moduleOf(const Object& object);

}  // namespace strata::jinja
