// Tests the skills section and globs, with the cases of tests/cases/pioneer_skills_prompt.json
// (from the GitHub repository pioneerdotai/pioneer). The structure of the text is the same; its
// wording differs.
#include "prompt/skills.h"

#include <gtest/gtest.h>

#include "json/writer.h"
#include "prompt/glob.h"
#include "support/cases.h"
#include "support/json_file.h"

namespace strata::prompt {
namespace {

using test::Case;
using test::Cases;
using test::Json;
using Strings = std::vector<std::string>;

Strings stringsIn(Case array) {
  Strings all;
  for (const Case each : array.elements()) all.push_back(each.text());
  return all;
}

Status read(json::Value skills, SkillsText& text) {
  json::OptionsReader options(skills, "/skills", json::Spelling::kSnakeOrCamel);
  writeSkills(options, text);
  return options.finish();
}

SkillsText write(const std::string& given) {
  const Json skills(given);
  SkillsText text;
  EXPECT_TRUE(read(skills.root(), text));
  return text;
}

// Returns the skills of the case, each with a body.
std::string skillsInput(Case given) {
  json::Writer out;
  out.open('{').key("max_bytes").raw(given.find("max_bytes").bytes());
  out.key("compact_mode_threshold").raw(given.find("compact_mode_threshold").bytes());
  out.key("active").open('[');
  for (const Case skill : given.find("skills").elements()) {
    std::string with = skill.bytes();
    out.raw(with.insert(1, R"("body":"How to.",)"));
  }
  return out.close(']').close('}').take();
}

TEST(Skills, WritesTheSkillsOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_skills_prompt.json");
  for (const Case given : cases.root().find("cases").elements()) {
    const SkillsText skills = write(skillsInput(given));
    const Case expected = given.find("expected");
    EXPECT_EQ(skills.omitted, stringsIn(expected.find("omitted_compact_or_marked")));
    EXPECT_EQ(skills.bodies, stringsIn(expected.find("bodies_in_order")));
    EXPECT_EQ(skills.truncated, expected.find("truncated").isTrue());
    EXPECT_EQ(skills.text.find("read_skill with the exact slug") != std::string::npos,
              skills.truncated);
  }
  EXPECT_EQ(cases.root().find("cases").size(), 4U);
}

TEST(Skills, UsesTheDefaultLimitsOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_skills_prompt.json");
  const Case defaults = cases.root().find("defaults");
  const auto most = static_cast<size_t>(defaults.find("prompt_max_chars").integer(0));
  const std::string fits(most - 200, 'x');
  EXPECT_FALSE(write(R"({"active":[{"slug":"a","description":")" + fits + R"("}]})").truncated);
  EXPECT_TRUE(
      write(R"({"active":[{"slug":"a","description":")" + fits + fits + R"("}]})").truncated);
  std::string six = R"({"slug":"s0"})";
  for (int i = 1; i < defaults.find("compact_mode_threshold").integer(0); ++i) {
    six += R"(,{"slug":"s)" + std::to_string(i) + "\"}";
  }
  EXPECT_FALSE(write(R"({"active":[)" + six + "]}").truncated);
  EXPECT_TRUE(write(R"({"active":[)" + six + R"(,{"slug":"more"}]})").truncated);
}

TEST(Skills, WritesEntriesAndBodies) {
  const SkillsText skills = write(R"({"active":[
      {"name":"Zoom","slug":"zoom","description":"Calls.","body":"Z.","reason":"path"},
      {"name":"Alpha","slug":"alpha","desc":"First.","body":" A.\n","reason":"explicit"},
      {"slug":"quiet","body":"Q.","reason":"implicit"}]})");
  EXPECT_EQ(skills.text,
            "[Skills]\nReady for use in this turn:\n"
            "- Zoom\n  Slug for read_skill: `zoom`\n  For: Calls.\n"
            "- Alpha\n  Slug for read_skill: `alpha`\n  For: First.\n"
            "- quiet\n  Slug for read_skill: `quiet`\n"
            "\n[Skill Body: $alpha]\nA.\n"
            "\n[Skill Body: $zoom]\nZ.\n");
  EXPECT_EQ(skills.listed, (Strings{"zoom", "alpha", "quiet"}));
}

TEST(Skills, IncludesABodyForAMentionOrAMatchingPath) {
  const auto bodies = [](const std::string& context) {
    return write(R"({"active":[{"slug":"pdf","body":"b"},
                     {"slug":"pdf-forms","body":"b","paths":["forms/**/*.pdf"]}],)" +
                 context + "}")
        .bodies;
  };
  EXPECT_EQ(bodies(R"("message":"Use $pdf.")"), Strings{"pdf"});
  EXPECT_EQ(bodies(R"("message":"Use $pdf-forms, not pdf")"), Strings{"pdf-forms"});
  EXPECT_EQ(bodies(R"("message":"It costs $5 as a pdf")"), Strings{});
  EXPECT_EQ(bodies(R"("paths":["src/a.ts","forms/2026/tax.pdf"])"), Strings{"pdf-forms"});
  EXPECT_EQ(bodies(R"("message":"$pdf-forms and $pdf")"), (Strings{"pdf", "pdf-forms"}));
}

TEST(Skills, SkipsABodyThatDoesNotFitAndTriesTheNext) {
  const SkillsText skills = write(R"({"max_bytes":200,"active":[
      {"slug":"a","body":")" + std::string(200, 'a') +
                                  R"(","reason":"explicit"},
      {"slug":"b","body":"short","reason":"explicit"}]})");
  EXPECT_EQ(skills.listed, (Strings{"a", "b"}));
  EXPECT_EQ(skills.bodies, Strings{"b"});
  EXPECT_EQ(skills.omitted, Strings{"a"});
}

TEST(Skills, RejectsInvalidSkills) {
  for (const char* bad : {"[]", R"({"active":[{"name":"x"}]})", R"({"max_bytes":-1})",
                          R"({"compact_mode_threshold":"6"})"}) {
    const Json given(bad);
    SkillsText text;
    EXPECT_FALSE(read(given.root(), text)) << bad;
  }
  EXPECT_EQ(write("{}").text, "");
}

TEST(Glob, MatchesPaths) {
  for (const auto& [glob, path] :
       std::vector<std::pair<std::string, std::string>>{{"*.ts", "src/deep/a.ts"},
                                                        {"src/*.ts", "src/a.ts"},
                                                        {"src/**/*.ts", "src/a.ts"},
                                                        {"src/**/*.ts", "src/x/y/a.ts"},
                                                        {"src/**", "src/x/y"},
                                                        {"**/a.ts", "a.ts"},
                                                        {"**/test/**", "x/test/y/z"},
                                                        {"a?c", "abc"},
                                                        {"*a*b", "xaab"},
                                                        {"src/*", "src/"},
                                                        {"**/*.c/**/b", "x/y.c/z/a/b"}}) {
    EXPECT_TRUE(matchesGlob(glob, path)) << glob << " " << path;
  }
  for (const auto& [glob, path] :
       std::vector<std::pair<std::string, std::string>>{{"src/*.ts", "src/x/a.ts"},
                                                        {"*.ts", "a.tsx"},
                                                        {"src/**/*.ts", "lib/a.ts"},
                                                        {"a?c", "a/c"},
                                                        {"**/test/*", "test"},
                                                        {"src/**/a", "src/ba"},
                                                        {"", "a"},
                                                        {"a", ""}}) {
    EXPECT_FALSE(matchesGlob(glob, path)) << glob << " " << path;
  }
}

TEST(Glob, MatchesManyStarsInPolynomialTime) {
  std::string glob;
  for (int i = 0; i < 200; ++i) glob += "*a/**/";
  EXPECT_FALSE(matchesGlob(glob + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace strata::prompt
