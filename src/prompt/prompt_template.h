// Why this file exists: a template that fails is told the same way wherever a prompt has one.
#pragma once

#include <optional>
#include <string>

#include "catalogue/finding.h"
#include "jinja/template.h"

namespace strata::prompt {

/// Why a text could not be made: bad input, or a template that failed where that is an error.
struct LayerFailure {
  std::optional<Error> error;
  std::optional<jinja::TemplateError> templateError;
};

/// How the templates of prompts are compiled: without the blanks around blocks, with a `tojson`
/// that leaves text readable. pongo2 has manners of its own.
jinja::Options promptTemplateOptions(jinja::Dialect dialect = jinja::Dialect::kJinja2);

/// A finding at `path`, with the error's words and place.
catalogue::Finding templateFinding(const jinja::TemplateError& error, std::string path);

}  // namespace strata::prompt
