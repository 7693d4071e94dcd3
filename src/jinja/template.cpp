#include "jinja/template.h"

#include <utility>

#include "jinja/interpreter.h"
#include "jinja/loader.h"
#include "jinja/pongo2.h"
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
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Expected<Template> Template::compile(std::string source, Options options, std::string name) {
  auto loader = std::make_unique<Loader>(std::move(source), std::move(options), std::move(name));
  if (loader->main().error()) return *loader->main().error();
  return Template(std::move(loader));
}

Expected<std::string> Template::render(std::string_view context, const RenderInput& input) const {
  const Result<json::Tape> tape = json::Tape::read(context);
  if (!tape) return contextError(tape.error().detail);
  if (!tape.value().root().isObject()) return contextError("it is something else");
  Interpreter interpreter(*loader_, input.host);
  interpreter.now = input.now;
  Dict variables(interpreter.heap, tape.value().root());
  if (loader_->options().dialect == Dialect::kPongo2) {
    for (const Dict::Entry& entry : variables.entries()) {
      if (!pongo2::isContextKey(entry.key.text())) return contextError("pongo2 refuses a key");
    }
  }
  return interpreter.render(variables);
}

}  // namespace strata::jinja
