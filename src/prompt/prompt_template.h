// Defines how prompt templates are compiled and how their errors are reported.
#pragma once

#include <optional>
#include <string>

#include "catalogue/finding.h"
#include "jinja/template.h"

namespace strata::prompt {

/// Why a prompt could not be built. Exactly one member is set: `error` for invalid
/// input, `templateError` for a template that failed under `strict`.
struct PromptFailure {
  std::optional<Error> error;
  std::optional<jinja::TemplateError> templateError;
};

/// Returns the options for prompt templates. Jinja2: trim_blocks and lstrip_blocks are on
/// (https://jinja.palletsprojects.com/en/stable/templates/#whitespace-control), and `tojson` does
/// not escape for HTML. pongo2: the defaults of that dialect.
jinja::Options promptTemplateOptions(jinja::Dialect dialect = jinja::Dialect::kJinja2);

/// Returns a finding at `path` with the message, line and column of `error`.
catalogue::Finding templateFinding(const jinja::TemplateError& error, std::string path);

/// Returns `{"templateError":{…}}` with all members of `error`.
std::string templateErrorJson(const jinja::TemplateError& error);

}  // namespace strata::prompt
