// Writes the skills section of a prompt: a list of the skills that the model may load, and the full
// bodies of those that are needed and fit.
#pragma once

#include <string>
#include <vector>

#include "json/options_reader.h"

namespace strata::prompt {

/// The skills section, and what it contains.
struct SkillsText {
  std::string text;
  std::vector<std::string> listed;   ///< Slugs with an entry, in the order given.
  std::vector<std::string> bodies;   ///< Slugs whose bodies are in the text, sorted.
  std::vector<std::string> omitted;  ///< Slugs whose entry or body was left out;
                                     ///< all slugs, if there are more than the threshold.
  bool truncated = false;            ///< Something was omitted, and the text says so.
};

/// Writes the section for `skills`, which reads PromptInput.skills, to `out`:
///
///     {"active": [{"name", "slug", "description", "body", "reason", "paths"}],
///      "max_bytes": 24000, "compact_mode_threshold": 6, "message": "…$slug…", "paths":
///      ["src/a.ts"]}
///
/// A skill's body is included if `reason` is "explicit" or "path" or, without a reason, if the
/// message contains `$slug` or a path matches one of the skill's globs. If there are more skills
/// than the threshold, no bodies are included. An entry or body that would exceed `max_bytes` is
/// skipped and later ones are tried. The limits and the order are those of the GitHub repository
/// pioneerdotai/pioneer, pioneer-skills.
/// After an error of `skills`, `out` is unspecified.
void writeSkills(json::OptionsReader& skills, SkillsText& out);

}  // namespace strata::prompt
