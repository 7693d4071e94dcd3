#include "templates/jinja_template.h"

#include <algorithm>

#include "prompt/prompt_template.h"

namespace strata::templates {
namespace {

layers::TemplateText failed(const jinja::TemplateError& error) {
  return {"", layers::TemplateFailure{prompt::templateFinding(error, ""),
                                      prompt::templateErrorJson(error)}};
}

}  // namespace

JinjaTemplate::JinjaTemplate(std::string source, jinja::Options options, jinja::Host* host)
    : source_(std::move(source)),
      host_(host),
      compiled_(jinja::Template::compile(source_, std::move(options))) {}

bool JinjaTemplate::reads(std::string_view variable) const {
  if (!compiled_) return false;
  const std::vector<std::string>& names = compiled_.value().variables();
  return std::find(names.begin(), names.end(), variable) != names.end();
}

layers::TemplateText JinjaTemplate::render(std::string_view variables, std::string_view now) const {
  if (!compiled_) return failed(compiled_.error());
  auto text = compiled_.value().render(variables, {now, host_});
  if (!text) return failed(text.error());
  return {std::move(text.value()), std::nullopt};
}

}  // namespace strata::templates
