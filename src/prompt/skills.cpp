#include "prompt/skills.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/plain_text.h"
#include "prompt/glob.h"

namespace strata::prompt {
namespace {

using json::OptionsReader;

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

bool isSlugCharacter(char c) { return ascii::isAlnum(c) || c == '-' || c == '_' || c == '.'; }

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

bool anyPathMatches(const std::vector<std::string>& globs, const std::vector<std::string>& paths) {
  for (const std::string& glob : globs) {
    for (const std::string& path : paths) {
      if (matchesGlob(glob, path)) return true;
    }
  }
  return false;
}

enum class Reason : uint8_t { kExplicit, kPath, kImplicit };
constexpr std::array<std::string_view, 3> kReasons = {"explicit", "path", "implicit"};

// What the turn is about; it decides which bodies are included.
struct Turn {
  std::string message;
  std::vector<std::string> paths;
};

Skill readSkill(OptionsReader& given, const Turn& turn) {
  Skill skill;
  std::optional<Reason> reason;
  std::vector<std::string> paths;
  given.string("slug", skill.slug, json::Need::kRequired);
  skill.name = skill.slug;
  given.string("name", skill.name);
  given.string("desc", skill.description).string("description", skill.description);
  given.string("body", skill.body).oneOf("reason", kReasons, reason).strings("paths", paths);
  skill.body = trimmed(skill.body);
  skill.needsBody = reason
                        ? *reason != Reason::kImplicit
                        : mentions(turn.message, skill.slug) || anyPathMatches(paths, turn.paths);
  return skill;
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

}  // namespace

void writeSkills(OptionsReader& skills, SkillsText& out) {
  Limits limits;
  Turn turn;
  std::vector<Skill> active;
  skills.count("max_bytes", limits.maxBytes);
  skills.count("compact_mode_threshold", limits.compactThreshold);
  skills.string("message", turn.message).strings("paths", turn.paths);
  skills.list("active", [&](OptionsReader& given) { active.push_back(readSkill(given, turn)); });
  if (active.empty()) return;
  out.text = kHeader;
  writeEntries(active, limits, out);
  if (active.size() <= limits.compactThreshold) {
    writeBodies(active, limits, out);
  } else {
    omitAll(active, out);
  }
  out.truncated = !out.omitted.empty();
  if (out.truncated) out.text += kHint;
}

}  // namespace strata::prompt
