// Tests that each hostile template ends with a limit error and that the next template renders.
#include <gtest/gtest.h>

#include <string>

#include "jinja/case_runner.h"

namespace strata::jinja {
namespace {

// Builds a template from a list of [text, repetitions].
std::string sourceOf(test::Case parts) {
  std::string source;
  for (const test::Case part : parts.elements()) {
    const std::string text = part.at(0).text();
    const auto times = static_cast<size_t>(part.at(1).integer(0));
    source.reserve(source.size() + text.size() * times);
    for (size_t i = 0; i < times; ++i) source += text;
  }
  return source;
}

// Returns whether a result matches one alternative of the expectation: ok, limit, undefined,
// syntax, a name for a successful result (ellipsis, snapshot, bigint), or the name of a limit.
bool matches(const std::string& word, const CaseResult& result) {
  if (word == "ok" || word == "ellipsis" || word == "snapshot" || word == "bigint") {
    return result.rendered;
  }
  if (word == "undefined" || word == "syntax") return result.kind == word;
  if (result.kind != "limit") return false;
  return word == "limit" || result.message.ends_with(" " + word);
}

bool isExpected(std::string words, const CaseResult& result) {
  for (;;) {
    const size_t end = words.find("_or_");
    if (matches(words.substr(0, end), result)) return true;
    if (end == std::string::npos) return false;
    words.erase(0, end + 4);
  }
}

TEST(Limits, StopHostileTemplatesAndLetTheNextOneRender) {
  const test::Cases file = test::readCases("tests/cases/jinja2_limits.json");
  const test::Cases sum(R"({"template": "{{ 1 + 1 }}"})");
  size_t count = 0;
  for (const test::Case given : file.root().find("cases").elements()) {
    const CaseResult result = runCase(given, sourceOf(given.find("parts")));
    EXPECT_TRUE(isExpected(given.find("limit").text(), result))
        << given.find("name").text() << ": " << result.kind << " " << result.message << " "
        << result.output.substr(0, 100);
    EXPECT_EQ(runCase(sum.root()).output, "2") << "after " << given.find("name").text();
    ++count;
  }
  EXPECT_GE(count, 60U);
}

TEST(Limits, CanBeSetByTheCaller) {
  Options options;
  options.limits.output = 10;
  const auto compiled = Template::compile("{% for i in range(20) %}x{% endfor %}", options);
  ASSERT_TRUE(compiled);
  const auto text = compiled.value().render("{}", {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kLimit);
}

TEST(Limits, LetATemplateRenderAgainAfterAnError) {
  const auto compiled = Template::compile("{% for i in range(n) %}x{% endfor %}", {});
  ASSERT_TRUE(compiled);
  EXPECT_FALSE(compiled.value().render(R"({"n": 1000000000})", {}));
  const auto text = compiled.value().render(R"({"n": 3})", {});
  ASSERT_TRUE(text);
  EXPECT_EQ(text.value(), "xxx");
}

}  // namespace
}  // namespace strata::jinja
