// Why this file exists: what a prompt is made of, in its order: the sections of a ready profile and
// the caller's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/value.h"
#include "prompt/skills.h"

namespace strata::prompt {

/// One section before its text is known.
struct SectionPlan {
  std::string id;
  std::string title;  ///< Its heading; "" is none.
  bool dynamic = false;
  std::string text;            ///< Used as it is, or without the file.
  std::string file;            ///< The bootstrap file that it shows, or "".
  json::Value templateSource;  ///< Rendered instead of `text`, or absent.
  json::Value variables;       ///< Of the template: the lower ones.
  bool pongo2 = false;         ///< The template's dialect.
  std::string pointer;         ///< The section's place in the input; "" where a profile has it.
};

struct PromptPlan {
  std::string profile;  ///< As the caller names it; "" where there are only the caller's sections.
  std::vector<SectionPlan> sections;
  std::optional<SkillsText> skills;
};

/// Reads PromptInput as far as it says which sections there are. Without `profile` and `sections`
/// it is the profile full. A section with the id of one of the profile's takes its place; others
/// stand behind them. Errors: `field.invalid`.
Status planSections(json::Value input, PromptPlan& plan);

}  // namespace strata::prompt
