#include "jinja/object.h"

#include <array>

#include "jinja/interpreter.h"
#include "jinja/units.h"

namespace strata::jinja {
namespace {

Value macroAttribute(Runtime& runtime, const Macro& macro, std::string_view name) {
  const MacroNode& node = macro.node;
  if (name == "name") {
    return node.name == nullptr ? Value::none() : runtime.string(node.name->text);
  }
  if (name == "catch_kwargs") return Value::boolean((node.uses & kUsesKwargs) != 0);
  if (name == "catch_varargs") return Value::boolean((node.uses & kUsesVarargs) != 0);
  if (name == "caller") return Value::boolean((node.uses & kUsesCaller) != 0);
  if (name != "arguments") return Value::absent();
  List* names = runtime.makeList();
  for (const Parameter& parameter : node.parameters) {
    names->append(runtime.string(parameter.name->text));
  }
  return Value::tuple(names);
}

Value cyclerNext(Call& call) {
  auto& cycler = static_cast<Cycler&>(call[0].asObject());
  const Value value = cycler.items->items()[cycler.at];
  cycler.at = (cycler.at + 1) % cycler.items->size();
  return value;
}

Value cyclerReset(Call& call) {
  static_cast<Cycler&>(call[0].asObject()).at = 0;
  return Value::none();
}

Value cyclerAttribute(Runtime& runtime, Cycler& cycler, std::string_view name) {
  static constexpr Builtin kNext = {"next self", cyclerNext};
  static constexpr Builtin kReset = {"reset self", cyclerReset};
  if (name == "current") return cycler.items->items()[cycler.at];
  if (name == "pos") return runtime.integer(static_cast<int64_t>(cycler.at));
  if (name == "items") return runtime.newTuple(cycler.items->items());
  const Builtin* method = name == "next" ? &kNext : (name == "reset" ? &kReset : nullptr);
  if (method == nullptr) return Value::absent();
  return Value(*runtime.heap.make<Function>(*method, Value(cycler)));
}

// Returns the class name of functions that are classes in Python, or an empty string.
std::string_view classNameOf(const Object& object) {
  constexpr std::array<std::array<std::string_view, 2>, 5> kClasses = {
      {{"range", "range"},
       {"dict", "dict"},
       {"cycler", "jinja2.utils.Cycler"},
       {"joiner", "jinja2.utils.Joiner"},
       {"namespace", "jinja2.utils.Namespace"}}};
  if (object.kind != ObjectKind::kFunction) return {};
  const auto& function = static_cast<const Function&>(object);
  for (const auto& [name, full] : kClasses) {
    if (function.receiver.isAbsent() && function.builtin.name() == name) return full;
  }
  return {};
}

Interpreter& interpreter(Runtime& runtime) { return static_cast<Interpreter&>(runtime); }

}  // namespace

Value objectAttribute(Runtime& runtime, Object& object, std::string_view name) {
  switch (object.kind) {
    case ObjectKind::kMacro:
      return macroAttribute(runtime, static_cast<Macro&>(object), name);
    case ObjectKind::kLoop:
      return static_cast<Loop&>(object).attribute(name);
    case ObjectKind::kCycler:
      return cyclerAttribute(runtime, static_cast<Cycler&>(object), name);
    case ObjectKind::kModule:
      return Interpreter::exported(*static_cast<Module&>(object).root, name, true);
    case ObjectKind::kSelf:
      return interpreter(runtime).blockReference(*static_cast<SelfReference&>(object).context, name,
                                                 0);
    case ObjectKind::kBlock: {
      auto& block = static_cast<BlockReference&>(object);
      if (name != "super") return Value::absent();
      return interpreter(runtime).blockReference(*block.context, block.name, block.depth + 1);
    }
    default:
      return Value::absent();
  }
}

bool appendObject(Runtime& runtime, std::string& out, const Object& object) {
  if (object.kind == ObjectKind::kModule) {
    const auto& module = static_cast<const Module&>(object);
    out += module.text;
    return module.joinable || !runtime.fail(kUnjoinable).failed();
  }
  out += '<';
  if (const std::string_view name = classNameOf(object); !name.empty()) {
    out.append("class '").append(name).append("'>");
    return true;
  }
  out += typeNameOf(object);
  if (object.kind == ObjectKind::kMacro) {
    const Name* name = static_cast<const Macro&>(object).node.name;
    if (name == nullptr) {
      out += " anonymous";
    } else {
      out.append(" '").append(name->text).append("'");
    }
  } else if (object.kind == ObjectKind::kFunction) {
    out.append(" ").append(static_cast<const Function&>(object).builtin.name());
  } else if (object.kind == ObjectKind::kSelf) {
    out.append(" '").append(static_cast<const SelfReference&>(object).templateName).append("'");
  }
  out += '>';
  return true;
}

std::string_view moduleOf(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kFunction:
    case ObjectKind::kHost:
      return "";
    case ObjectKind::kCycler:
    case ObjectKind::kJoiner:
      return "jinja2.utils.";
    case ObjectKind::kModule:
      return "jinja2.environment.";
    default:
      return "jinja2.runtime.";
  }
}

std::string_view typeNameOf(const Object& object) {
  switch (object.kind) {
    case ObjectKind::kFunction:
      if (!classNameOf(object).empty()) return "type";
      return static_cast<const Function&>(object).receiver.isAbsent()
                 ? "function"
                 : "builtin_function_or_method";
    case ObjectKind::kHost:
      return "function";
    case ObjectKind::kMacro:
      return "Macro";
    case ObjectKind::kLoop:
      return "LoopContext";
    case ObjectKind::kCycler:
      return "Cycler";
    case ObjectKind::kJoiner:
      return "Joiner";
    case ObjectKind::kModule:
      return "TemplateModule";
    case ObjectKind::kSelf:
      return "TemplateReference";
    case ObjectKind::kBlock:
      return "BlockReference";
  }
  return "object";
}

}  // namespace strata::jinja
