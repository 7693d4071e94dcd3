// Replaces the room jinja at link time, so that the remaining WebAssembly file shows what the
// template engine weighs.
#include "jinja/template.h"

namespace strata::jinja {

class Loader {};
namespace pongo2 {
class Library {};
}  // namespace pongo2

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
