// Determines the sections of a prompt and their order, from a built-in profile and the caller's own
// sections.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/options_reader.h"
#include "prompt/skills.h"

namespace strata::prompt {

/// One section before its files are read and its template is rendered. Values borrow from the
/// input.
struct SectionPlan {
  std::string id;
  std::string title;  ///< The heading; "" means no heading.
  bool dynamic = false;
  std::string text;            ///< The text if there is no template, or if `file` has no text.
  std::string file;            ///< The name of the bootstrap file that it shows, or "".
  json::Value templateSource;  ///< Rendered in place of `text`, or absent.
  json::Value variables;       ///< The template's defaults; the prompt's arguments win.
  bool pongo2 = false;         ///< The template's dialect is pongo2 rather than Jinja2.
  std::string pointer;         ///< JSON Pointer of the section in the input; "" if built in.
};

struct PromptPlan {
  std::string profile;  ///< As the caller spells it; "" if there are only the caller's sections.
  std::vector<SectionPlan> sections;
  std::optional<SkillsText> skills;
};

/// Fills `plan` from the sections that `options`, a PromptInput, asks for. `plan` borrows from the
/// tape of `options`. With neither `profile` nor `sections` the profile is "full". A caller's
/// section with the id of a profile's section replaces it; the others are appended. After an error
/// of `options`, the plan is unspecified.
void planSections(json::OptionsReader& options, PromptPlan& plan);

}  // namespace strata::prompt
