#include "jinja/template.h"

#include <utility>

#include "jinja/interpreter.h"
#include "jinja/loader.h"
#include "jinja/pongo2/library.h"
#include "jinja/pongo2/machine.h"
#include "json/tape.h"

namespace strata::jinja {
namespace {

TemplateError contextError(std::string_view why) {
  TemplateError error;
  error.message = "the context is not a JSON object: " + std::string(why);
  return error;
}

}  // namespace

Template::Template(std::unique_ptr<Loader> loader)
    : loader_(std::move(loader)), variables_(loader_->variables()) {}
Template::Template(std::unique_ptr<pongo2::Library> library)
    : library_(std::move(library)), variables_(library_->variables()) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Expected<Template> Template::compile(std::string source, Options options, std::string name) {
  if (options.dialect == Dialect::kPongo2) {
    auto library =
        std::make_unique<pongo2::Library>(std::move(source), std::move(options), std::move(name));
    if (library->error()) return *library->error();
    return Template(std::move(library));
  }
  auto loader = std::make_unique<Loader>(std::move(source), std::move(options), std::move(name));
  if (loader->main().error()) return *loader->main().error();
  return Template(std::move(loader));
}

Expected<std::string> Template::render(std::string_view context, const RenderInput& input) const {
  const Result<json::Tape> tape = json::Tape::read(context);
  if (!tape) return contextError(tape.error().detail);
  if (!tape.value().root().isObject()) return contextError("it is something else");
  if (library_ != nullptr) {
    pongo2::Machine machine(*library_, input.host);
    machine.now = input.now;
    Dict variables(machine.heap, tape.value().root());
    return machine.render(variables);
  }
  Interpreter interpreter(*loader_, input.host);
  interpreter.now = input.now;
  Dict variables(interpreter.heap, tape.value().root());
  return interpreter.render(variables);
}

}  // namespace strata::jinja
