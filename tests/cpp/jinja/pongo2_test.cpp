// Tests templates like those of rapidaai/voice-ai against the output of flosch/pongo2 v6.
#include <gtest/gtest.h>

#include <string>

#include "jinja/template.h"
#include "support/cases.h"

namespace strata::jinja {
namespace {

Expected<std::string> render(const std::string& source, std::string_view context) {
  Options options;
  options.dialect = Dialect::kPongo2;
  const auto compiled = Template::compile(source, options);
  if (!compiled) return compiled.error();
  return compiled.value().render(context, {});
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

TEST(Pongo2, ProvidesForloopCounters) {
  const auto text = render(
      "{% for x in l %}{{ forloop.Counter }}{% if forloop.Last %}.{% endif %}"
      "{% empty %}none{% endfor %}",
      R"({"l": ["a", "b"]})");
  ASSERT_TRUE(text);
  EXPECT_EQ(text.value(), "12.");
}

TEST(Pongo2, ParsesAFilterArgumentAfterAColon) {
  const auto text = render(R"({{ a|default:"x" }}{{ n|add:2 }}{{ s|cut:" " }}{{ s|capfirst }})",
                           R"({"a": "", "n": 1, "s": "b c"})");
  ASSERT_TRUE(text);
  EXPECT_EQ(text.value(), "x3bcB c");
}

}  // namespace
}  // namespace strata::jinja
