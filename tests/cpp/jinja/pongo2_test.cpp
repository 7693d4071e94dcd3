// Compares templates of the dialect pongo2 with the results of flosch/pongo2 v6.0.0.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "jinja/case_runner.h"

namespace strata::jinja {
namespace {

Expected<std::string> render(const std::string& source, std::string_view context,
                             Options options = {}, const RenderInput& input = {}) {
  options.dialect = Dialect::kPongo2;
  const auto compiled = Template::compile(source, std::move(options));
  if (!compiled) return compiled.error();
  return compiled.value().render(context, input);
}

// Returns the text of {{ ... }} without escaping, or "error".
std::string text(const std::string& source, std::string_view context = "{}") {
  const auto got = render("{% autoescape off %}" + source + "{% endautoescape %}", context);
  return got ? got.value() : "error: " + got.error().message;
}

std::vector<std::string> variablesOf(const std::string& source) {
  Options options;
  options.dialect = Dialect::kPongo2;
  options.templates = {{"used", "{{ deep }}{{ given }}"}, {"base", "{{ root }}"}};
  const auto compiled = Template::compile(source, options);
  return compiled ? compiled.value().variables() : std::vector<std::string>{"error"};
}

TEST(Pongo2, RendersAndRejectsTheSameTemplatesAsPongo2) {
  const test::Cases file = test::readCases("tests/cases/jinja_pongo2_parser.json");
  size_t count = 0;
  for (const test::Case given : file.root().find("cases").elements()) {
    ++count;
    const auto got = render(given.find("template").text(), given.find("args").bytes());
    const bool renders = given.find("pongo2").equals("ok");
    EXPECT_EQ(static_cast<bool>(got), renders) << given.bytes();
    if (!got || !renders) continue;
    EXPECT_EQ(got.value(), given.find("rapida_result").text()) << given.bytes();
  }
  EXPECT_GT(count, 50U);
}

// A context replaces the shared one, or is added to it where the case says `more`.
std::string contextOf(test::Case shared, test::Case given) {
  const test::Case own = given.find("context");
  if (own && !given.find("more").isTrue()) return own.bytes();
  std::map<std::string, std::string> all;
  for (const test::CaseMember& member : shared.members()) all[member.key] = member.value.bytes();
  for (const test::CaseMember& member : own.members()) {
    all[member.key] = member.value.bytes();
  }
  std::string json;
  for (const auto& [key, value] : all) json += (json.empty() ? "{\"" : ",\"") + key + "\":" + value;
  return json + "}";
}

TEST(Pongo2, MatchesVersionSixInEachCase) {
  const test::Cases file = test::readCases("tests/cases/pongo2_v6.json");
  std::set<std::string> sources;
  size_t count = 0;
  for (const test::Case given : file.root().find("cases").elements()) {
    ++count;
    Options options;
    for (const test::CaseMember& other : file.root().find("templates").members()) {
      options.templates.push_back({other.key, other.value.text()});
    }
    options.dialect = Dialect::kPongo2;
    options.trimBlocks = given.find("trim").isTrue();
    options.lstripBlocks = given.find("lstrip").isTrue();
    const auto compiled = Template::compile(given.find("template").text(), std::move(options));
    const std::string error = given.find("error").text();
    EXPECT_EQ(static_cast<bool>(compiled), error != "parse") << given.bytes();
    sources.insert(given.find("source").text());
    if (!compiled || error == "parse") continue;
    const auto got = compiled.value().render(contextOf(file.root().find("context"), given), {});
    EXPECT_EQ(static_cast<bool>(got), error.empty()) << given.bytes();
    if (!got || !error.empty()) continue;
    EXPECT_EQ(got.value(), given.find("expected").text()) << given.bytes();
  }
  EXPECT_GT(count, 3000U);
  EXPECT_GT(sources.size(), 80U);
}

TEST(Pongo2, IteratesOverMapsInTheOrderOfTheirKeys) {
  EXPECT_EQ(text("{% for k, v in m %}{{ k }}{{ v }}{% endfor %}", R"({"m":{"b":1,"a":2}})"),
            "a2b1");
}

// Go iterates over the bytes of a string, which need not be a text.
TEST(Pongo2, IteratesOverTheCharactersOfAString) {
  EXPECT_EQ(text("{% for c in s %}{{ c }}.{{ forloop.Revcounter }} {% endfor %}", R"({"s":"é€"})"),
            "é.2 €.1 ");
}

TEST(Pongo2, StartsEachRenderWithFreshCycles) {
  Options options;
  options.dialect = Dialect::kPongo2;
  const auto compiled = Template::compile("{% cycle 1 2 %}", options);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled.value().render("{}", {}).value(), "1");
  EXPECT_EQ(compiled.value().render("{}", {}).value(), "1");
}

TEST(Pongo2, StopsWhereverTheBudgetEndsWhileItParses) {
  Options options;
  options.dialect = Dialect::kPongo2;
  size_t stopped = 0;
  for (options.limits.fuel = 0; options.limits.fuel < 40; ++options.limits.fuel) {
    const auto compiled = Template::compile(
        "{{ a.0 + 1.5 * 2|add:3 }}{% if b[1] %}{{ c(4, \"x\") }}{% endif %}", options);
    if (compiled) continue;
    EXPECT_EQ(compiled.error().kind, ErrorKind::kLimit);
    ++stopped;
  }
  EXPECT_GT(stopped, 10U);
}

TEST(Pongo2, FormatsTheTimeOfTheHost) {
  const auto got = render("{% now \"Jan 2, 2006 15:04\" %}", "{}", {}, {"2024-07-26T09:05:00Z"});
  ASSERT_TRUE(got);
  EXPECT_EQ(got.value(), "Jul 26, 2024 09:05");
  EXPECT_FALSE(render("{% now \"2006\" %}", "{}"));
}

TEST(Pongo2, TakesTheFirstItemForARandomOne) {
  EXPECT_EQ(text("{{ l|random }}", R"({"l":["a","b"]})"), "a");
}

TEST(Pongo2, CallsFiltersAndFunctionsOfTheHost) {
  Options options;
  options.filters = {"pydantic_dump"};
  options.functions = {"strftime_now"};
  CaseHost host;
  const auto got =
      render("{{ s|pydantic_dump }}{{ strftime_now(\"%Y\") }}{% if strftime_now %}.{% endif %}",
             R"({"s":"x"})", options, {"", &host});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got.value(), "x2024-07-26.");
}

TEST(Pongo2, ListsTheVariablesOfAllTemplates) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(variablesOf("{{ b.c }}{{ a|add:d }}"), (Names{"a", "b", "d"}));
  EXPECT_EQ(variablesOf("{% for x in l %}{{ x }}{{ forloop.Counter }}{% endfor %}{{ x }}"),
            (Names{"l", "x"}));
  EXPECT_EQ(variablesOf("{% set x = y %}{{ x }}{{ pongo2.version }}"), (Names{"y"}));
  EXPECT_EQ(variablesOf("{% with v=w %}{{ v }}{% endwith %}"), (Names{"w"}));
  EXPECT_EQ(variablesOf("{% macro m(p, q=r) %}{{ p }}{{ q }}{% endmacro %}{{ m(1) }}"),
            (Names{"r"}));
  EXPECT_EQ(variablesOf("{% include \"used\" with given=1 %}"), (Names{"deep"}));
  EXPECT_EQ(variablesOf("{% include \"used\" with given=z only %}"), (Names{"z"}));
  EXPECT_EQ(variablesOf("{% extends \"base\" %}"), (Names{"root"}));
  EXPECT_EQ(variablesOf("{% if a %}{% set x = 1 %}{% endif %}{{ x }}"), (Names{"a", "x"}));
}

TEST(Pongo2, ReportsWhereATemplateFails) {
  Options options;
  options.templates = {{"part", "a\n{{ s.x }}"}, {"torn", "\n\n{% if %}"}};
  const auto run = render("\n{% include \"part\" %}", R"({"s":"text"})", options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().templateName, "part");
  EXPECT_EQ(run.error().line, 2U);
  EXPECT_EQ(run.error().column, 4U);
  const auto parsed = render("{% include \"torn\" %}", "{}", options);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().templateName, "torn");
  EXPECT_EQ(parsed.error().line, 3U);
  const auto missing = render("x{% include \"none\" %}", "{}", options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(missing.error().line, 1U);
}

TEST(Pongo2, StopsHostileTemplates) {
  Options options;
  options.templates = {{"self", "{% include \"self\" %}"},
                       {"late", "{% include name %}"},
                       {"parent", "{% extends \"parent\" %}"},
                       {"twice", "{% include \"self\" %}{% include \"twice\" %}"}};
  std::string ifs;
  std::string ends;
  for (int i = 0; i < 90; ++i) {
    ifs += "{% if true %}";
    ends += "{% endif %}";
  }
  options.templates.push_back({"nested", ifs + "{% include \"nested\" %}" + ends});
  options.templates.push_back({"later", ifs + "{% include later %}" + ends});
  const std::string deep(5000, '(');
  std::string chain = "1";
  for (int i = 0; i < 5000; ++i) chain += " == 1";
  for (const std::string& source :
       {std::string("{% include \"self\" %}"), std::string("{% include \"late\" %}"),
        std::string("{% extends \"parent\" %}"), std::string("{% include \"twice\" %}"),
        "{{ " + deep + " }}", "{{ " + chain + " }}",
        std::string("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
        std::string("{{ \"x\"|center:99999999 }}"), std::string("{{ \"x\"|ljust:9999999999 }}"),
        std::string("{{ 1|floatformat:2000000000 }}{{ \"x\"|rjust:999999 }}"
                    "{{ \"x\"|stringformat:\"%2000000000d\" }}"),
        std::string("{% include \"nested\" %}"), std::string("{% include later %}"),
        "{% macro m() %}" + ifs + "{{ m() }}" + ends + "{% endmacro %}{{ m() }}",
        std::string("{% cycle 1 c as c %}{% cycle c %}{{ c }}"),
        std::string("{% lorem 999999999 %}")}) {
    const auto got = render(source, R"({"name":"late","later":"later"})", options);
    if (got) {
      EXPECT_LT(got.value().size(), size_t{17} << 20U);
    } else {
      EXPECT_EQ(got.error().kind, ErrorKind::kLimit) << source.substr(0, 60);
    }
  }
  std::string sum = "1";
  for (int i = 0; i < 20000; ++i) sum += " + 1";
  EXPECT_EQ(text("{{ " + sum + " }}"), "20001");
  std::string all = "true";
  for (int i = 0; i < 20000; ++i) all += " and true";
  EXPECT_EQ(text("{{ " + all + " }}"), "True");
}

}  // namespace
}  // namespace strata::jinja
