// Takes the place of the room jinja, before which it is linked, so that the module has no engine.
#include "jinja/template.h"

namespace strata::jinja {

class Loader {};

Template::Template(std::unique_ptr<Loader> loader) : loader_(std::move(loader)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

Expected<Template> Template::compile(std::string, Options, std::string) { return TemplateError{}; }
Expected<std::string> Template::render(std::string_view, const RenderInput&) const {
  return TemplateError{};
}

std::string_view nameOf(ErrorKind) { return {}; }
ErrorClass classOf(ErrorKind) { return ErrorClass::kRuntime; }

}  // namespace strata::jinja
