#include "prompt/prompt_template.h"

#include <array>

namespace strata::prompt {
namespace {

using catalogue::Rule;

Rule ruleFor(jinja::ErrorKind kind) {
  constexpr std::array<Rule, 4> kRules = {Rule::kTemplateSyntax, Rule::kTemplateUndefined,
                                          Rule::kTemplateLimit, Rule::kTemplateRuntime};
  return kRules[static_cast<size_t>(jinja::classOf(kind))];
}

}  // namespace

jinja::Options promptTemplateOptions(jinja::Dialect dialect) {
  jinja::Options options;
  options.dialect = dialect;
  if (dialect == jinja::Dialect::kPongo2) return options;
  options.trimBlocks = true;
  options.lstripBlocks = true;
  options.tojson = jinja::ToJson::kPlain;
  return options;
}

catalogue::Finding templateFinding(const jinja::TemplateError& error, std::string path) {
  catalogue::Finding finding;
  finding.rule = ruleFor(error.kind);
  finding.path = std::move(path);
  finding.arg1 = error.message + " (line " + std::to_string(error.line) + ", column " +
                 std::to_string(error.column) + ")";
  return finding;
}

}  // namespace strata::prompt
