// Tests the prompt compiler, with the cases of tests/cases/pioneer_prompt_compile.json (from the
// GitHub repository pioneerdotai/pioneer) and fingerprints that every platform must reproduce.
#include "prompt/compiler.h"

#include <gtest/gtest.h>

#include "prompt/prompt_arguments.h"
#include "sections/boundary.h"
#include "support/cases.h"
#include "support/contents.h"

namespace strata::prompt {
namespace {

using test::Case;
using test::Cases;
using test::Json;
using Strings = std::vector<std::string>;

// A compiled prompt and accessors for its parts.
struct Compiled {
  explicit Compiled(const std::string& given) {
    const Json input(given);
    const catalogue::Catalogue catalogue;
    catalogue::Target target;
    target.catalogue = &catalogue;
    target.model = &catalogue.model("");
    failure = compilePrompt(input.root(), target, prompt);
    manifest = std::make_unique<Cases>(prompt.manifest);
  }

  std::string stable() const { return prompt.full.substr(0, prompt.stableBytes); }
  std::string dynamic() const {
    return prompt.full.substr(prompt.full.size() - prompt.dynamicBytes);
  }
  Case find(std::string_view name) const { return manifest->root().find(name); }
  std::string fingerprint(std::string_view of) const {
    return find("fingerprints").find(of).text();
  }
  // Returns the ids of the sections, all or those of one stability.
  Strings ids(std::string_view stability = "") const {
    Strings all;
    for (const Case each : find("sections").elements()) {
      const bool wanted = stability.empty() || each.find("stability").equals(stability);
      if (wanted) all.push_back(each.find("id").text());
    }
    return all;
  }
  Strings codes() const {
    Strings all;
    for (const Case each : find("diagnostics").elements()) {
      all.push_back(each.find("code").text());
    }
    return all;
  }
  std::string errorPath() const {
    return failure && failure->error ? failure->error->path : "none";
  }

  CompiledPrompt prompt;
  std::optional<PromptFailure> failure;
  std::unique_ptr<Cases> manifest;
};

Strings stringsIn(Case array) {
  Strings all;
  for (const Case each : array.elements()) all.push_back(each.text());
  return all;
}

// Returns the catalogue's code for a code of the case file.
std::string codeFor(const std::string& code) {
  if (code == "missing_file") return "bootstrap.missing";
  return code == "file_truncated" ? "bootstrap.truncated" : "bootstrap.total_truncated";
}

void expectDiagnostics(const Compiled& compiled, Case expected) {
  size_t index = 0;
  for (const Case each : expected.elements()) {
    const Case actual = compiled.find("diagnostics").at(index++);
    EXPECT_EQ(actual.find("code").text(), codeFor(each.find("code").text()));
    const std::string message = actual.find("message").text();
    EXPECT_NE(message.find(each.find("file").text()), std::string::npos) << message;
    EXPECT_NE(message.find(each.find("chars").text()), std::string::npos) << message;
  }
  EXPECT_EQ(compiled.find("diagnostics").size(), index);
}

void expectSources(const Compiled& compiled, Case expected) {
  size_t index = 0;
  for (const Case each : expected.elements()) {
    const Case source = compiled.find("sources").at(index++);
    for (const std::string_view name : {"file", "status", "chars"}) {
      EXPECT_EQ(source.find(name).bytes(), each.find(name).bytes()) << name;
    }
  }
  EXPECT_EQ(compiled.find("sources").size(), index);
}

TEST(PromptCompiler, CompilesTheInputsOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  for (const Case given : cases.root().find("compile").elements()) {
    SCOPED_TRACE(given.find("name").text());
    const Compiled compiled(given.find("input").bytes());
    const Case expected = given.find("expected");
    EXPECT_EQ(compiled.ids(), stringsIn(expected.find("section_ids")));
    EXPECT_EQ(compiled.ids("stable"), stringsIn(expected.find("stable_ids")));
    EXPECT_EQ(compiled.ids("dynamic"), stringsIn(expected.find("dynamic_ids")));
    for (const test::CaseMember& file : expected.find("file_text_used").members()) {
      const std::string block = "### " + file.key + " (" + file.key + ")\n" + file.value.text();
      EXPECT_NE(compiled.stable().find(block), std::string::npos) << block;
    }
    const auto used = expected.find("file_text_used").size();
    size_t blocks = 0;
    for (size_t at = 0; (at = compiled.prompt.full.find("\n### ", at)) != std::string::npos; ++at) {
      ++blocks;
    }
    EXPECT_EQ(blocks, used);
    expectDiagnostics(compiled, expected.find("diagnostics"));
    expectSources(compiled, expected.find("source_manifest"));
    EXPECT_EQ(compiled.prompt.full.find(sections::kPromptBoundary) != std::string::npos,
              expected.find("has_boundary").isTrue());
  }
  EXPECT_EQ(cases.root().find("compile").size(), 10U);
}

TEST(PromptCompiler, UsesTheTitlesOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  const Compiled compiled(R"({"include_tool_recovery_policy":true,"extra_system":"e",
      "include_task_orchestration_policy":true,"continue_generation_hint":true,
      "skills_prompt":"s","retry_instruction":"r","dynamic_context":"d","files":{"USER.md":"u"}})");
  Strings headings;
  for (size_t at = 0; (at = compiled.prompt.full.find("## ", at)) != std::string::npos; ++at) {
    const bool begins = at == 0 || compiled.prompt.full[at - 1] == '\n';
    if (!begins) continue;
    headings.push_back(
        compiled.prompt.full.substr(at + 3, compiled.prompt.full.find('\n', at) - at - 3));
  }
  Strings titles;
  for (const test::CaseMember& each : cases.root().find("titles").members()) {
    titles.push_back(each.value.text());
  }
  EXPECT_EQ(headings, titles);
}

// Returns an input with the sections of the case as the caller's own.
std::string sectionsInput(Case given) {
  json::Writer out;
  out.open('{').key("sections").open('[');
  for (const std::string_view half : {"stable", "dynamic"}) {
    for (const Case each : given.find(std::string(half) + "_sections").elements()) {
      out.open('{').key("id").raw(each.at(0).bytes()).key("stability").string(half);
      out.key("text").raw(each.at(1).bytes()).close('}');
    }
  }
  return out.close(']').close('}').take();
}

TEST(PromptCompiler, ReproducesTheTextsAndFingerprintsOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  for (const Case given : cases.root().find("render_and_fingerprint").elements()) {
    const Compiled compiled(sectionsInput(given));
    EXPECT_EQ(compiled.stable(), given.find("stable_text").text());
    EXPECT_EQ(compiled.dynamic(), given.find("dynamic_text").text());
    EXPECT_EQ(compiled.prompt.full, given.find("full_text").text());
    for (const std::string_view name : {"stable", "dynamic", "full"}) {
      EXPECT_EQ(compiled.fingerprint(name), given.find("sha256").find(name).text()) << name;
    }
  }
  EXPECT_EQ(cases.root().find("render_and_fingerprint").size(), 4U);
}

// Expects that exactly the fingerprints listed as "same" are equal.
void expectChange(Case expected, const Compiled& before, const Compiled& after) {
  for (const std::string_view name : {"stable", "dynamic", "full"}) {
    const bool same = before.fingerprint(name) == after.fingerprint(name);
    EXPECT_EQ(same, expected.find(name).equals("same")) << expected.bytes() << name;
  }
}

TEST(PromptCompiler, ChangesOnlyTheFingerprintsOfChangedHalves) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  const auto with = [](const std::string& soul, const std::string& rest) {
    return Compiled(R"({"files":{"SOUL.md":")" + soul + "\"}" + rest + "}");
  };
  const Compiled plain = with("soul", R"(,"dynamic_context":"a")");
  const Case properties = cases.root().find("fingerprint_properties");
  for (const Case each : properties.elements()) {
    const std::string change = each.find("change").text();
    std::string rest = R"(,"dynamic_context":"a")";
    if (change == "dynamic_context") rest = R"(,"dynamic_context":"b")";
    if (change.substr(0, 7) == "include") rest += ",\"" + change + "\":true";
    expectChange(each, plain, with(change == "SOUL.md text" ? "other" : "soul", rest));
  }
  EXPECT_EQ(properties.size(), 5U);
}

TEST(PromptCompiler, ACallersSectionReplacesAProfilesSectionOrIsAppended) {
  const Compiled compiled(R"({"profile":"full","sections":[
      {"id":"identity_base","text":"You are Ada."},
      {"id":"assistant_safety","text":""},
      {"id":"style","title":"","text":"Rhyme."},
      {"id":"now","stability":"dynamic","text":"Late."}],"extra_system":"e"})");
  EXPECT_EQ(compiled.ids(), (Strings{"identity_base", "soul_core", "identity_core", "style",
                                     "extra_system", "now"}));
  EXPECT_EQ(compiled.stable().substr(0, 24), "## Identity\nYou are Ada.");
  EXPECT_NE(compiled.stable().find("\n\nRhyme."), std::string::npos);
  EXPECT_EQ(compiled.dynamic(), "## Extra System\ne\n\n## now\nLate.");
  EXPECT_EQ(compiled.find("profile").text(), "full");
  EXPECT_FALSE(Compiled(R"({"sections":[]})").find("profile"));
}

TEST(PromptCompiler, RendersTemplatesAndFilesInSections) {
  const Compiled compiled(R"({"sections":[
      {"id":"t","template":"Hello {{ name }} of {{ city }}!","variables":{"name":"?","city":"Rome"}},
      {"id":"p","template":"{% autoescape off %}{{ name }}{% endautoescape %}","dialect":"pongo2"},
      {"id":"f","file":"AGENTS.md","text":"none"},{"id":"g","file":"GONE.md","text":"none"}],
      "arguments":{"name":"Ann"},"workspace_root":"/w","files":{"AGENTS.md":"Run the tests."}})");
  EXPECT_EQ(compiled.stable(),
            "## t\nHello Ann of Rome!\n\n## p\nAnn\n\n"
            "## f\n### AGENTS.md (/w/AGENTS.md)\nRun the tests.\n\n## g\nnone");
  EXPECT_EQ(compiled.codes(), Strings{"bootstrap.missing"});
}

TEST(PromptCompiler, KeepsTheSourceOfAFailingTemplateUnlessStrict) {
  const std::string sections = R"("sections":[{"id":"a","template":"{{ x +"}])";
  const Compiled compiled("{" + sections + "}");
  EXPECT_EQ(compiled.stable(), "## a\n{{ x +");
  EXPECT_EQ(compiled.codes(), Strings{"template.syntax"});
  EXPECT_EQ(compiled.find("diagnostics").at(0).find("path").text(), "/sections/0/template");
  const Compiled strict("{" + sections + R"(,"strict":true})");
  ASSERT_TRUE(strict.failure && strict.failure->templateError);
  EXPECT_EQ(strict.failure->templateError->line, 1U);
}

TEST(PromptCompiler, RemovesTheBoundaryFromASectionsText) {
  const Compiled compiled(R"({"sections":[
      {"id":"a","text":"<!-- PIONEER_PROMT_CACHE_BOUNDARY -->\nmine"},
      {"id":"b","stability":"dynamic","text":"b"}]})");
  EXPECT_EQ(compiled.stable(), "## a\nmine");
  EXPECT_EQ(sections::splitAtBoundary(compiled.prompt.full)->stable, "## a\nmine");
  EXPECT_EQ(compiled.codes(), Strings{"section.holds_boundary"});
}

TEST(PromptCompiler, RemovesTheBoundaryFromASectionsTitle) {
  const std::string mark = "<!-- PIONEER_PROMT_CACHE_BOUNDARY -->";
  const Compiled titled(R"({"sections":[{"id":"a","title":"t\n)" + mark + R"(\n","text":"x"},
      {"id":"b","stability":"dynamic","text":"b"}]})");
  EXPECT_EQ(titled.stable().find(mark), std::string::npos);
  EXPECT_EQ(sections::splitAtBoundary(titled.prompt.full)->stable, titled.stable());
  EXPECT_EQ(titled.codes(), Strings{"section.holds_boundary"});
  const Compiled named(R"({"sections":[{"id":")" + mark + R"(","text":"x"}]})");
  EXPECT_EQ(named.prompt.full, "x");
}

TEST(PromptCompiler, WritesSkillsIntoTheirSection) {
  const Compiled compiled(R"({"profile":"minimal","skills":{"active":[{"slug":"pdf"}]}})");
  EXPECT_EQ(compiled.ids("dynamic"), Strings{"skills_runtime_prompt"});
  EXPECT_NE(compiled.dynamic().find("`pdf`"), std::string::npos);
  EXPECT_EQ(compiled.find("skills").find("listed").at(0).text(), "pdf");
  const Compiled cut(R"({"skills":{"active":[{"slug":"pdf"}],"max_bytes":0}})");
  EXPECT_EQ(cut.codes().back(), "skills.truncated");
}

TEST(PromptCompiler, AcceptsOptionsInCamelCase) {
  const Compiled compiled(R"({"profile":"none","extraSystem":"e"})");
  EXPECT_EQ(compiled.dynamic(), "");
  EXPECT_EQ(Compiled(R"({"extraSystem":"e"})").dynamic(), "## Extra System\ne");
  EXPECT_EQ(Compiled(R"({"limits":{"perFile":1},"files":{"USER.md":"ab"}})").codes().back(),
            "bootstrap.truncated");
}

TEST(PromptCompiler, IgnoresTools) {
  const std::string tools = R"("tools":[{"functionDeclarations":[{"name":"secret_tool"}]}])";
  EXPECT_EQ(Compiled("{" + tools + "}").prompt.full, Compiled("{}").prompt.full);
}

TEST(PromptCompiler, RejectsInvalidOptionsWithTheirPath) {
  EXPECT_EQ(Compiled("[]").errorPath(), "");
  EXPECT_EQ(Compiled(R"({"profile":"fuller"})").errorPath(), "/profile");
  EXPECT_EQ(Compiled(R"({"profile":7})").errorPath(), "/profile");
  EXPECT_EQ(Compiled(R"({"extra_system":7})").errorPath(), "/extra_system");
  EXPECT_EQ(Compiled(R"({"extra_system":true})").errorPath(), "/extra_system");
  EXPECT_EQ(Compiled(R"({"sections":{}})").errorPath(), "/sections");
  EXPECT_EQ(Compiled(R"({"sections":[{"text":"a"}]})").errorPath(), "/sections/0/id");
  EXPECT_EQ(Compiled(R"({"sections":[{"id":"a"},{"id":"a"}]})").errorPath(), "/sections/1/id");
  EXPECT_EQ(Compiled(R"({"sections":[{"id":"a","stability":"fixed"}]})").errorPath(),
            "/sections/0/stability");
  EXPECT_EQ(Compiled(R"({"sections":[{"id":"a","variables":[]}]})").errorPath(),
            "/sections/0/variables");
  EXPECT_EQ(Compiled(R"({"sections":[{"id":"a","dialect":"jinja"}]})").errorPath(),
            "/sections/0/dialect");
  EXPECT_EQ(Compiled(R"({"sections":[{"id":"a","txt":"b"}]})").errorPath(), "/sections/0/txt");
  EXPECT_EQ(Compiled(R"({"sections":["a"]})").errorPath(), "/sections/0");
  EXPECT_EQ(Compiled(R"({"limits":{"perfile":1}})").errorPath(), "/limits/perfile");
  EXPECT_EQ(Compiled(R"({"skills":{"max_byte":1}})").errorPath(), "/skills/max_byte");
  EXPECT_EQ(Compiled(R"({"limits":{"total":-1}})").errorPath(), "/limits/total");
  EXPECT_EQ(Compiled(R"({"skills":7})").errorPath(), "/skills");
}

// The input of tests/js/portable/prompt.mjs.
std::string everything() {
  const Json sources(R"({"now":"2026-11-21T10:00:00Z","args":{"name":"Ann"}})");
  return R"({"profile":"full","workspace_root":"/w","files":{"SOUL.md":"a\r\nb\rc\n",
      "IDENTITY.md":{"text":"Ä\u2003日本 🦀","path":"kv:IDENTITY"},
      "AGENTS.md":")" +
         std::string(50, 'x') + R"("},"limits":{"per_file":20},
      "include_tool_recovery_policy":true,"continue_generation_hint":"Go on.",
      "skills":{"active":[{"slug":"pdf","name":"PDF","description":"Reads PDFs.","body":"How to.",
      "paths":["*.pdf"]}],"paths":["tax/2026.pdf"]},"extra_system":"Linux",
      "sections":[{"id":"agents","title":"Agents","file":"AGENTS.md"},
      {"id":"greeting","stability":"dynamic",
      "template":"Hello {{ name }}, {{ system.day_of_week }}!"}],"arguments":)" +
         promptArguments(sources.root()).value().json + "}";
}

TEST(PromptCompiler, GivesTheFingerprintsThatEveryRuntimeGives) {
  const Compiled compiled(everything());
  EXPECT_EQ(compiled.fingerprint("stable"),
            "6b222015818dc1b6c05f4fd813d757e2ac3b91607ab600f93c00d72e7e6f6948");
  EXPECT_EQ(compiled.fingerprint("dynamic"),
            "b00763a1a267f8d3ae5ead6d3a0ba6442af17617102e4c9cd7a628bfd0351a7c");
  EXPECT_EQ(compiled.fingerprint("full"),
            "d8cb5995465c670251674b0eef76b5ebf1bd1f06d9194d9ba4ea5128184b605f");
}

TEST(PromptCompiler, TheSizesOfSectionsAddUpToTheirHalf) {
  const Compiled compiled(R"({"files":{"USER.md":"h\u00e9"},"extra_system":"e"})");
  int64_t bytes = 0;
  for (const Case each : compiled.find("sections").elements()) {
    if (each.find("stability").equals("stable")) bytes += each.find("bytes").integer(0) + 2;
  }
  EXPECT_EQ(static_cast<size_t>(bytes - 2), compiled.prompt.stableBytes);
  const Case last = compiled.find("sections").at(5);
  EXPECT_EQ(last.find("chars").integer(0), 17);
  EXPECT_EQ(last.find("fingerprint").text(), toHex(sha256("## Extra System\ne")));
}

}  // namespace
}  // namespace strata::prompt
