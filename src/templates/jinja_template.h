// Renders a text layer with the template engine of `jinja/`.
#pragma once

#include <string>

#include "jinja/template.h"
#include "layers/layer_template.h"

namespace strata::templates {

/// A Jinja2 template of a text layer.
class JinjaTemplate final : public layers::LayerTemplate {
 public:
  /// Compiles `source`. `host` has the functions that `options` names; it must outlive the
  /// template, or be nullptr if there are none.
  JinjaTemplate(std::string source, jinja::Options options, jinja::Host* host);

  /// Returns the compiled template, or the error of compiling it.
  const jinja::Expected<jinja::Template>& compiled() const { return compiled_; }

  std::string_view source() const override { return source_; }
  bool reads(std::string_view variable) const override;
  bool callsHost() const override { return host_ != nullptr; }
  layers::TemplateText render(std::string_view variables, std::string_view now) const override;

 private:
  std::string source_;
  jinja::Host* host_;
  jinja::Expected<jinja::Template> compiled_;
};

}  // namespace strata::templates
