#include "prompt/sections.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/plain_text.h"

namespace strata::prompt {
namespace {

using json::OptionsReader;

// A section of the built-in profiles: a row of templates/agent_profile.json.
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

constexpr std::array<std::string_view, 2> kStabilities = {"stable", "dynamic"};
constexpr std::array<std::string_view, 2> kDialects = {"jinja2", "pongo2"};

class SectionPlanner {
 public:
  SectionPlanner(OptionsReader& options, PromptPlan& plan) : options_(options), plan_(plan) {}

  void run() {
    const bool identityOnly = readProfile();
    addProfile(!plan_.profile.empty(), identityOnly);
    addCallerSections();
  }

 private:
  // Reads the profile's name. Returns whether it is "none".
  bool readProfile() {
    plan_.profile = options_.given("sections") ? "" : "full";
    options_.string("profile", plan_.profile);
    std::string_view name = plan_.profile;
    if (name.substr(0, 10) == "assistant_") name.remove_prefix(10);
    const bool known = name == "full" || name == "minimal" || name == "none";
    if (options_.given("profile") && !known) options_.refuse("profile", "full, minimal or none");
    return name == "none";
  }

  // Reads the options of the profile's sections, and adds the sections if `hasProfile`.
  void addProfile(bool hasProfile, bool identityOnly) {
    for (const ProfileRow& row : kProfile) {
      const bool isAdded = hasProfile && (row.always || !identityOnly);
      SectionPlan section;
      section.id = row.id;
      section.title = row.title;
      section.dynamic = row.dynamic;
      section.file = row.file;
      section.text = row.text;
      readRowOption(row, section, isAdded);
      if (isAdded) plan_.sections.push_back(std::move(section));
    }
    options_.accept("skills");
  }

  // Reads the option that switches the section of `row` on or supplies its text.
  void readRowOption(const ProfileRow& row, SectionPlan& section, bool isAdded) {
    if (row.option.empty()) return;
    options_.accept(row.option);
    const json::Given given = options_.given(row.option);
    const bool isSwitch = given.isBoolean() && !row.text.empty();
    if (isSwitch && given.is(json::Kind::kTrue)) return;
    section.text = given.text();
    // False leaves out a section that has no built-in text, too.
    if (given && !isSwitch && !given.is(json::Kind::kString) && !given.is(json::Kind::kFalse)) {
      options_.refuse(row.option, row.text.empty() ? "a string" : "true, false or a string");
    }
    if (!given && isAdded && row.option == kSkillsOption) readSkills(section);
  }

  void readSkills(SectionPlan& section) {
    options_.nested("skills", [&](OptionsReader& skills) {
      plan_.skills.emplace();
      writeSkills(skills, *plan_.skills);
      section.text = plan_.skills->text;
    });
  }

  void addCallerSections() {
    std::vector<std::string> seen;
    options_.list("sections", [&](OptionsReader& given) {
      SectionPlan section;
      section.pointer = given.path();
      readSection(given, section);
      if (std::find(seen.begin(), seen.end(), section.id) != seen.end()) {
        given.refuse("id", "a unique id");
      }
      seen.push_back(section.id);
      if (given.ok()) insertOrReplace(std::move(section));
    });
  }

  void readSection(OptionsReader& given, SectionPlan& section) {
    std::optional<std::string> title;
    std::optional<std::string> id;
    given.string("id", id).string("title", title);
    section.id = trimmed(id ? *id : title.value_or(""));
    if (section.id.empty()) given.refuse("id", "a name");
    const SectionPlan* replaced = find(section.id);
    section.title = replaced != nullptr ? replaced->title : section.id;
    if (title) section.title = trimmed(*title);
    section.dynamic = replaced != nullptr && replaced->dynamic;
    given.oneOf("stability", kStabilities, section.dynamic);
    readSource(given, section);
  }

  static void readSource(OptionsReader& given, SectionPlan& section) {
    std::string source;
    given.string("text", section.text).string("file", section.file).string("template", source);
    given.oneOf("dialect", kDialects, section.pongo2).object("variables");
    section.templateSource = given.given("template").value();
    section.variables = given.given("variables").value();
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

  OptionsReader& options_;
  PromptPlan& plan_;
};

}  // namespace

void planSections(OptionsReader& options, PromptPlan& plan) { SectionPlanner(options, plan).run(); }

}  // namespace strata::prompt
