// Why this file exists: a prompt names the skills that a model may read, with whole bodies only
// where they are wanted and fit.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace strata::prompt {

/// What became of the skills.
struct SkillsText {
  std::string text;
  std::vector<std::string> listed;   ///< Slugs, in the order given.
  std::vector<std::string> bodies;   ///< Slugs whose bodies are in the text, sorted.
  std::vector<std::string> omitted;  ///< Slugs that lack their entry, or a body they should have.
  bool truncated = false;            ///< Something was left out, and the text says so.
};

/// Writes the section for PromptInput.skills:
///
///     {"active": [{"name", "slug", "description", "body", "reason", "paths"}],
///      "max_bytes": 24000, "compact_mode_threshold": 6, "message": "…$slug…", "paths":
///      ["src/a.ts"]}
///
/// A body is wanted where `reason` is "explicit" or "path"; without a reason, where the message
/// names `$slug` or a path matches one of the skill's globs. With more skills than the threshold
/// there are no bodies. An entry or body that would pass `max_bytes` is skipped, later ones are
/// tried. Errors: `field.invalid`.
Status writeSkills(json::Value skills, SkillsText& out);

}  // namespace strata::prompt
