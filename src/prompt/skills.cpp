#include "prompt/skills.h"

#include <algorithm>

#include "base/plain_text.h"
#include "json/pointer.h"
#include "prompt/glob.h"
#include "prompt/options.h"

namespace strata::prompt {
namespace {

constexpr std::string_view kHeader = "[Skills]\nReady for use in this turn:\n";
constexpr std::string_view kHint =
    "\nMore than stands here: call read_skill with the exact slug to load a skill.\n";

struct Skill {
  std::string name;
  std::string slug;
  std::string description;
  std::string body;
  bool needsBody = false;
};

struct Limits {
  size_t maxBytes = 24000;
  size_t compactThreshold = 6;
};

bool isSlugCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

// Returns true if `message` contains `$slug`, not as the start of a longer slug. Periods after it
// are taken as punctuation.
bool mentions(std::string_view message, std::string_view slug) {
  const std::string mention = "$" + std::string(slug);
  for (size_t at = message.find(mention); at != std::string_view::npos;
       at = message.find(mention, at + 1)) {
    std::string_view after = message.substr(at + mention.size());
    while (!after.empty() && after.front() == '.') after.remove_prefix(1);
    if (after.empty() || !isSlugCharacter(after.front())) return true;
  }
  return false;
}

bool anyPathMatches(json::Value globs, json::Value paths) {
  for (const json::Value glob : json::elements(globs)) {
    const std::string pattern = glob.text();
    for (const json::Value path : json::elements(paths)) {
      if (matchesGlob(pattern, path.text())) return true;
    }
  }
  return false;
}

bool needsBody(json::Value skill, const std::string& slug, json::Value context) {
  const json::Value reason = option(skill, "reason");
  if (reason) return reason.equals("explicit") || reason.equals("path");
  return mentions(context.find("message").text(), slug) ||
         anyPathMatches(skill.find("paths"), context.find("paths"));
}

Status readActive(json::Value skills, std::vector<Skill>& active) {
  for (const json::Value given : json::elements(skills.find("active"))) {
    std::string path = "/skills/active";
    json::appendPointer(path, active.size());
    if (!given.find("slug").isString()) return invalidMember(path, "slug", "a string");
    Skill& skill = active.emplace_back();
    skill.slug = given.find("slug").text();
    const json::Value name = option(given, "name");
    skill.name = name ? name.text() : skill.slug;
    const json::Value description = option(given, "description");
    skill.description = (description ? description : option(given, "desc")).text();
    skill.body = trimmed(given.find("body").text());
    skill.needsBody = needsBody(given, skill.slug, skills);
  }
  return {};
}

// Appends `more` if the text stays within the byte limit. Returns whether it did.
bool appendIfFits(std::string& text, const std::string& more, const Limits& limits) {
  if (text.size() + more.size() > limits.maxBytes) return false;
  text += more;
  return true;
}

void writeEntries(const std::vector<Skill>& active, const Limits& limits, SkillsText& out) {
  for (const Skill& skill : active) {
    std::string entry = "- " + skill.name + "\n  Slug for read_skill: `" + skill.slug + "`\n";
    if (!skill.description.empty()) entry += "  For: " + skill.description + "\n";
    const bool fits = appendIfFits(out.text, entry, limits);
    (fits ? out.listed : out.omitted).push_back(skill.slug);
  }
}

void writeBodies(const std::vector<Skill>& active, const Limits& limits, SkillsText& out) {
  std::vector<const Skill*> withBody;
  for (const Skill& skill : active) {
    if (!skill.needsBody || skill.body.empty()) continue;
    const auto sortsAfter = [&](const Skill* other) { return skill.slug < other->slug; };
    withBody.insert(std::find_if(withBody.begin(), withBody.end(), sortsAfter), &skill);
  }
  for (const Skill* skill : withBody) {
    const std::string body = "\n[Skill Body: $" + skill->slug + "]\n" + skill->body + "\n";
    const bool fits = appendIfFits(out.text, body, limits);
    (fits ? out.bodies : out.omitted).push_back(skill->slug);
  }
}

void omitAll(const std::vector<Skill>& active, SkillsText& out) {
  out.omitted.clear();
  for (const Skill& skill : active) out.omitted.push_back(skill.slug);
}

Status readLimits(json::Value skills, Limits& limits) {
  Status status = readCount(option(skills, "max_bytes"), "/skills/max_bytes", limits.maxBytes);
  if (!status) return status;
  return readCount(option(skills, "compact_mode_threshold"), "/skills/compact_mode_threshold",
                   limits.compactThreshold);
}

}  // namespace

Status writeSkills(json::Value skills, SkillsText& out) {
  if (!skills.isObject()) return invalidOption("/skills", "an object");
  Limits limits;
  std::vector<Skill> active;
  Status status = checkMemberNames(
      skills, "/skills", {"active", "max_bytes", "compact_mode_threshold", "message", "paths"});
  if (status) status = readLimits(skills, limits);
  if (status) status = readActive(skills, active);
  if (!status || active.empty()) return status;
  out.text = kHeader;
  writeEntries(active, limits, out);
  if (active.size() <= limits.compactThreshold) {
    writeBodies(active, limits, out);
  } else {
    omitAll(active, out);
  }
  out.truncated = !out.omitted.empty();
  if (out.truncated) out.text += kHint;
  return status;
}

}  // namespace strata::prompt
