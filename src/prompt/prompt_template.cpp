#include "prompt/prompt_template.h"

#include <array>

#include "json/writer.h"

namespace strata::prompt {
namespace {

using catalogue::Rule;

Rule ruleFor(jinja::ErrorKind kind) {
  constexpr std::array<Rule, 4> kRules = {Rule::kTemplateSyntax, Rule::kTemplateUndefined,
                                          Rule::kTemplateLimit, Rule::kTemplateRuntime};
  return kRules[static_cast<size_t>(jinja::classOf(kind))];
}

std::string_view codeFor(jinja::ErrorKind kind) {
  constexpr std::array<std::string_view, 4> kCodes = {"template.syntax", "template.undefined",
                                                      "template.limit", "template.runtime"};
  return kCodes[static_cast<size_t>(jinja::classOf(kind))];
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

std::string templateErrorJson(const jinja::TemplateError& error) {
  json::Writer out;
  out.open('{').key("templateError").open('{');
  out.key("code").string(codeFor(error.kind)).key("kind").string(jinja::nameOf(error.kind));
  out.key("message").string(error.message).key("template").string(error.templateName);
  out.key("line").integer(error.line).key("column").integer(error.column);
  out.key("offset").integer(static_cast<int64_t>(error.offset));
  out.key("excerpt").string(error.excerpt);
  out.close('}').close('}');
  return out.take();
}

}  // namespace strata::prompt
