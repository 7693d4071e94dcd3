#include "prompt/sections.h"

#include <algorithm>
#include <array>

#include "base/plain_text.h"
#include "json/pointer.h"
#include "prompt/options.h"

namespace strata::prompt {
namespace {

// A section of the built-in profiles, generated from templates/agent_profile.json.
struct ProfileRow {
  std::string_view id;
  std::string_view title;
  bool dynamic;
  bool always;
  std::string_view option;
  std::string_view file;
  std::string_view text;
};

constexpr ProfileRow kProfile[] = {
#include "prompt/profile.inc"
};

constexpr std::string_view kSkillsOption = "skills_prompt";

class SectionPlanner {
 public:
  SectionPlanner(json::Value input, PromptPlan& plan) : input_(input), plan_(plan) {}

  Status run() {
    bool identityOnly = false;
    Status status = readProfile(identityOnly);
    if (status && !plan_.profile.empty()) status = addProfile(identityOnly);
    if (status) status = addCallerSections();
    return status;
  }

 private:
  // Reads the profile's name. Sets `identityOnly` for the profile "none".
  Status readProfile(bool& identityOnly) {
    const json::Value profile = option(input_, "profile");
    plan_.profile = profile ? profile.text() : option(input_, "sections") ? "" : "full";
    std::string_view name = plan_.profile;
    if (name.substr(0, 10) == "assistant_") name.remove_prefix(10);
    identityOnly = name == "none";
    const bool known = !profile || name == "full" || name == "minimal" || identityOnly;
    return known ? Status() : invalidOption("/profile", "full, minimal or none");
  }

  Status addProfile(bool identityOnly) {
    for (const ProfileRow& row : kProfile) {
      if (identityOnly && !row.always) continue;
      SectionPlan section;
      section.id = row.id;
      section.title = row.title;
      section.dynamic = row.dynamic;
      section.file = row.file;
      section.text = row.text;
      Status status = readRowOption(row, section);
      if (!status) return status;
      plan_.sections.push_back(std::move(section));
    }
    return {};
  }

  // Reads the option that switches the section of `row` on or supplies its text.
  Status readRowOption(const ProfileRow& row, SectionPlan& section) {
    if (row.option.empty()) return {};
    const json::Value given = option(input_, row.option);
    if (given.isTrue() && !row.text.empty()) return {};
    section.text.clear();
    if (given.isString()) {
      section.text = given.text();
      return {};
    }
    if (given && (given.isTrue() || !given.isBoolean())) {
      return invalidMember("", row.option,
                           row.text.empty() ? "a string" : "true, false or a string");
    }
    return row.option == kSkillsOption ? readSkills(section) : Status();
  }

  Status readSkills(SectionPlan& section) {
    const json::Value skills = option(input_, "skills");
    if (!skills) return {};
    plan_.skills.emplace();
    Status status = writeSkills(skills, *plan_.skills);
    section.text = plan_.skills->text;
    return status;
  }

  Status addCallerSections() {
    const json::Value sections = option(input_, "sections");
    if (sections && !sections.isArray()) return invalidOption("/sections", "an array");
    std::vector<std::string> seen;
    for (const json::Value given : json::elements(sections)) {
      std::string path = "/sections";
      json::appendPointer(path, seen.size());
      SectionPlan section;
      section.pointer = path;
      Status status = readSection(given, section);
      if (!status) return status;
      if (std::find(seen.begin(), seen.end(), section.id) != seen.end()) {
        return invalidMember(path, "id", "a unique id");
      }
      seen.push_back(section.id);
      insertOrReplace(std::move(section));
    }
    return {};
  }

  Status readSection(json::Value given, SectionPlan& section) {
    const std::string& path = section.pointer;
    if (!given.isObject()) return invalidOption(path, "an object");
    Status known = checkMemberNames(
        given, path,
        {"id", "title", "stability", "text", "template", "variables", "dialect", "file"});
    if (!known) return known;
    for (const std::string_view name : {"id", "title", "text", "template", "file", "dialect"}) {
      Status status = checkOptionalString(given, name, path);
      if (!status) return status;
    }
    const json::Value title = option(given, "title");
    const json::Value id = option(given, "id");
    section.id = trimmed((id ? id : title).text());
    if (section.id.empty()) return invalidMember(path, "id", "a name");
    const SectionPlan* replaced = find(section.id);
    section.title = replaced != nullptr ? replaced->title : section.id;
    if (title) section.title = trimmed(title.text());
    section.dynamic = replaced != nullptr && replaced->dynamic;
    const json::Value stability = option(given, "stability");
    if (stability) section.dynamic = stability.equals("dynamic");
    if (stability && !section.dynamic && !stability.equals("stable")) {
      return invalidMember(path, "stability", "stable or dynamic");
    }
    return readSource(given, section);
  }

  static Status readSource(json::Value given, SectionPlan& section) {
    section.text = option(given, "text").text();
    section.file = option(given, "file").text();
    section.templateSource = option(given, "template");
    section.variables = option(given, "variables");
    const json::Value dialect = option(given, "dialect");
    section.pongo2 = dialect.equals("pongo2");
    if (dialect && !section.pongo2 && !dialect.equals("jinja2")) {
      return invalidMember(section.pointer, "dialect", "jinja2 or pongo2");
    }
    if (!section.variables || section.variables.isObject()) return {};
    return invalidMember(section.pointer, "variables", "an object");
  }

  SectionPlan* find(const std::string& id) {
    for (SectionPlan& section : plan_.sections) {
      if (section.id == id) return &section;
    }
    return nullptr;
  }

  void insertOrReplace(SectionPlan section) {
    if (SectionPlan* existing = find(section.id)) {
      *existing = std::move(section);
    } else {
      plan_.sections.push_back(std::move(section));
    }
  }

  json::Value input_;
  PromptPlan& plan_;
};

}  // namespace

Status planSections(json::Value input, PromptPlan& plan) {
  if (!input.isObject()) return invalidOption("", "an object");
  return SectionPlanner(input, plan).run();
}

}  // namespace strata::prompt
