#include "host_template.h"

namespace strata::bindings {
namespace {

// Reads the error that the module templates replied, as prompt::templateErrorJson writes it.
layers::TemplateText failed(std::string reply, const catalogue::Catalogue& catalogue) {
  const Options given(reply);
  const json::Value error = given.root().find("templateError");
  catalogue::Finding finding;
  finding.rule = catalogue.ruleOf(error.find("code").text());
  finding.arg1 = error.find("message").text() + " (line " +
                 std::to_string(error.find("line").integer(0)) + ", column " +
                 std::to_string(error.find("column").integer(0)) + ")";
  return {"", layers::TemplateFailure{std::move(finding), std::move(reply)}};
}

}  // namespace

layers::TemplateText TemplateHost::render(layers::Layer layer, std::string_view variables,
                                          const catalogue::Catalogue& catalogue) {
  const bool ok = callback_(static_cast<int>(layer), viewOf(variables)).as<bool>();
  if (ok) return {reply_.take(), std::nullopt};
  return failed(reply_.take(), catalogue);
}

bool HostTemplate::reads(std::string_view variable) const {
  for (const json::Value name : json::elements(given_.find("reads"))) {
    if (name.equals(variable)) return true;
  }
  return false;
}

// The caller's callback knows the time.
layers::TemplateText HostTemplate::render(std::string_view variables, std::string_view) const {
  return host_.render(layer_, variables, catalogue_);
}

}  // namespace strata::bindings
