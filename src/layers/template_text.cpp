#include "layers/template_text.h"

namespace strata::layers {
namespace {

using rules::Rule;

Rule ruleFor(jinja::ErrorKind kind) {
  switch (kind) {
    case jinja::ErrorKind::kSyntax:
      return Rule::kTemplateSyntax;
    case jinja::ErrorKind::kUndefined:
      return Rule::kTemplateUndefined;
    case jinja::ErrorKind::kLimit:
    case jinja::ErrorKind::kRecursion:
      return Rule::kTemplateLimit;
    default:
      return Rule::kTemplateRuntime;
  }
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

rules::Finding templateFinding(const jinja::TemplateError& error, std::string path) {
  rules::Finding finding;
  finding.rule = ruleFor(error.kind);
  finding.path = std::move(path);
  finding.subject = error.message + ", line " + std::to_string(error.line) + ", column " +
                    std::to_string(error.column);
  return finding;
}

}  // namespace strata::layers
