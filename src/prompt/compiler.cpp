#include "prompt/compiler.h"

#include "base/version.h"
#include "prompt/bootstrap_files.h"
#include "prompt/merge.h"
#include "prompt/options.h"
#include "prompt/prompt_template.h"
#include "prompt/section_writer.h"
#include "prompt/sections.h"
#include "sections/boundary.h"
#include "sections/manifest_version.h"

namespace strata::prompt {
namespace {

using catalogue::Rule;

class Compiler {
 public:
  Compiler(json::Value input, const catalogue::Target& target, CompiledPrompt& prompt)
      : input_(input), target_(target), prompt_(prompt) {}

  std::optional<PromptFailure> run() {
    if (Status status = readOptions(); !status) return PromptFailure{status.error(), std::nullopt};
    for (SectionPlan& section : plan_.sections) {
      if (auto failure = writeSection(section)) return failure;
    }
    if (plan_.skills && plan_.skills->truncated) reportOmittedSkills();
    prompt_.full = sections::joinHalves({stable_.text(), dynamic_.text()});
    prompt_.stableBytes = stable_.text().size();
    prompt_.dynamicBytes = dynamic_.text().size();
    writeManifest();
    return std::nullopt;
  }

 private:
  Status readOptions() {
    json::OptionsReader options = promptOptions(input_);
    planSections(options, plan_);
    options.object("arguments").string("now", now_).boolean("strict", strict_);
    readFiles(options);
    // Callers may share one object between a prompt and a request.
    options.accept("tools");
    return options.finish();
  }

  void readFiles(json::OptionsReader& options) {
    std::vector<std::string> wanted;
    for (const SectionPlan& section : plan_.sections) {
      if (!section.file.empty()) wanted.push_back(section.file);
    }
    FileLimits limits;
    options.nested("limits", [&](json::OptionsReader& given) {
      given.count("per_file", limits.perFile).count("total", limits.total);
    });
    std::string root;
    options.string("workspace_root", root).accept("files");
    options.add(files_.read(options.given("files").value(), wanted, root));
    files_.applyLimits(limits);
    findings_ = files_.findings();
  }

  std::optional<PromptFailure> writeSection(SectionPlan& section) {
    if (section.templateSource) {
      if (auto failure = render(section)) return failure;
    }
    const BootstrapFile* file = section.file.empty() ? nullptr : files_.find(section.file);
    if (file != nullptr && !file->text.empty()) {
      section.text = "### " + file->name + " (" + file->path + ")\n" + file->text;
    }
    const bool titleHadMarker = sections::removeBoundaryMarkers(section.title);
    if (sections::removeBoundaryMarkers(section.text) || titleHadMarker) {
      addFinding(Rule::kSectionHoldsBoundary, section.id, section.pointer);
    }
    SectionWriter& half = section.dynamic ? dynamic_ : stable_;
    half.add(section.id, section.dynamic, section.title, section.text);
    return std::nullopt;
  }

  std::optional<PromptFailure> render(SectionPlan& section) {
    const jinja::Dialect dialect =
        section.pongo2 ? jinja::Dialect::kPongo2 : jinja::Dialect::kJinja2;
    const std::string source = section.templateSource.text();
    const auto compiled = jinja::Template::compile(source, promptTemplateOptions(dialect));
    if (!compiled) return handleFailure(section, compiled.error());
    // The prompt's arguments override the section's own variables.
    const std::string variables = mergeMaps({section.variables, option(input_, "arguments")});
    const auto text = compiled.value().render(variables, {now_, nullptr});
    if (!text) return handleFailure(section, text.error());
    section.text = text.value();
    return std::nullopt;
  }

  std::optional<PromptFailure> handleFailure(SectionPlan& section,
                                             const jinja::TemplateError& error) {
    if (strict_) return PromptFailure{std::nullopt, error};
    findings_.push_back(templateFinding(error, section.pointer + "/template"));
    section.text = section.templateSource.text();
    return std::nullopt;
  }

  void addFinding(Rule rule, std::string arg1, std::string path) {
    catalogue::Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.arg1 = std::move(arg1);
    finding.path = std::move(path);
  }

  void reportOmittedSkills() {
    std::string slugs;
    for (const std::string& slug : plan_.skills->omitted) {
      slugs += (slugs.empty() ? "" : ", ") + slug;
    }
    addFinding(Rule::kSkillsTruncated, slugs, "/skills");
  }

  void writeManifest() {
    json::Writer out;
    out.open('{').key("version").string(sections::kManifestVersion);
    out.key("compiler").string(kVersion);
    if (!plan_.profile.empty()) out.key("profile").string(plan_.profile);
    out.key("sections").open('[');
    for (const SectionWriter* half : {&stable_, &dynamic_}) {
      for (const sections::SectionEntry& entry : half->entries())
        sections::writeSectionEntry(out, entry);
    }
    out.close(']');
    writeFingerprints(out);
    writeFiles(out);
    if (plan_.skills) writeSkills(out);
    out.key("diagnostics");
    catalogue::writeDiagnostics(out, findings_, target_);
    prompt_.manifest = out.close('}').take();
  }

  // The full text starts with the stable half, so those bytes are hashed once for both.
  void writeFingerprints(json::Writer& out) {
    Sha256 full;
    full.add(stable_.text());
    Sha256 stable = full;
    full.add(std::string_view(prompt_.full).substr(prompt_.stableBytes));
    const json::Writer::Scope object = out.object("fingerprints");
    out.key("stable").string(toHex(stable.finish()));
    out.key("dynamic").string(toHex(sha256(dynamic_.text())));
    out.key("full").string(toHex(full.finish()));
  }

  void writeFiles(json::Writer& out) {
    const json::Writer::Scope list = out.array("sources");
    for (const BootstrapFile& file : files_.all()) {
      const json::Writer::Scope object = out.object();
      out.key("file").string(file.name).key("path").string(file.path);
      out.key("status").string(fileStatusName(file.status));
      out.key("chars").integer(static_cast<int64_t>(file.chars));
    }
  }

  static void writeSlugs(json::Writer& out, std::string_view key,
                         const std::vector<std::string>& slugs) {
    const json::Writer::Scope list = out.array(key);
    for (const std::string& slug : slugs) out.string(slug);
  }

  void writeSkills(json::Writer& out) {
    const SkillsText& skills = *plan_.skills;
    const json::Writer::Scope object = out.object("skills");
    writeSlugs(out, "listed", skills.listed);
    writeSlugs(out, "bodies", skills.bodies);
    writeSlugs(out, "omitted", skills.omitted);
    out.key("truncated").boolean(skills.truncated);
  }

  json::Value input_;
  const catalogue::Target& target_;
  CompiledPrompt& prompt_;
  PromptPlan plan_;
  std::string now_;
  bool strict_ = false;
  BootstrapFiles files_;
  SectionWriter stable_;
  SectionWriter dynamic_;
  catalogue::Findings findings_;
};

}  // namespace

std::optional<PromptFailure> compilePrompt(json::Value input, const catalogue::Target& target,
                                           CompiledPrompt& prompt) {
  return Compiler(input, target, prompt).run();
}

}  // namespace strata::prompt
