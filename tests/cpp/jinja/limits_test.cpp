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

// Returns the name of the limit that a template exceeds, or its output.
std::string outcomeOf(const std::string& source, const Options& options = {}) {
  const auto compiled = Template::compile(source, options);
  if (!compiled) return compiled.error().message;
  const auto text = compiled.value().render("{}", {});
  if (text) return text.value();
  const std::string& message = text.error().message;
  return message.substr(message.rfind(' ') + 1);
}

// Returns the least fuel with which a template renders.
uint64_t stepsOf(const std::string& source) {
  Options options;
  uint64_t least = 0;
  for (uint64_t step = uint64_t{1} << 19U; step > 0; step /= 2) {
    options.limits.fuel = least + step - 1;
    if (outcomeOf(source, options) == "steps") least += step;
  }
  return least;
}

// Replaces each # by a number.
std::string sized(std::string pattern, size_t size) {
  const std::string digits = std::to_string(size);
  for (size_t at = pattern.find('#'); at != std::string::npos; at = pattern.find('#')) {
    pattern.replace(at, 1, digits);
  }
  return pattern;
}

TEST(Limits, StopTuplesThatContainTheSameTupleOftenAsKeys) {
  const std::string nested =
      "{% set n = namespace(x=(1,), y=(1,)) %}{% for i in range(60) %}{% set n.x = (n.x, n.x) %}"
      "{% set n.y = (n.y, n.y) %}{% endfor %}";
  for (const char* use :
       {"{% set d = {n.x: 1} %}", "{{ {}[n.x] }}", "{{ n.x in {} }}", "{{ {}.get(n.x) }}",
        "{{ [n.x, n.y]|unique|list }}", "{{ n.x is filter }}", "{{ n.x == n.y }}",
        "{{ n.x < n.y }}", "{{ [n.x]|sort == [n.y] }}"}) {
    EXPECT_EQ(outcomeOf(nested + use), "steps") << use;
  }
}

// The parts differ from the text in their last character, or their first.
TEST(Limits, LetSearchesTakeStepsInProportionToTheText) {
  for (const char* search : {"('a' * #0).find('a' * # ~ 'b')",
                             "('a' * #0).rfind('b' ~ 'a' * #)",
                             "('a' * #0).count('a' * # ~ 'b')",
                             "('a' * # ~ 'b') in 'a' * #0",
                             "('a' * #0).replace('a' * # ~ 'b', '')|length",
                             "'a' * #0 == 'a' * # * 10",
                             "('a' * #0)|replace('ab' * #, '')|length",
                             "('a' * #0).split('a' * # ~ 'b')|length",
                             "('a' * #0).rsplit('b' ~ 'a' * #)|length",
                             "('ab' * #0).partition('ab' * # ~ 'a' * 9)|length",
                             "(range(#)|list) == (range(#)|list)",
                             "(range(#)|list) < (range(#)|list)",
                             "-1 in range(#)|list",
                             "dict(a=range(#)|list) == dict(a=range(#)|list)",
                             "[range(#)|list, range(#)|list]|sort|length",
                             "('A' * #).isupper()",
                             "('1' * #).isdigit()",
                             "('1' * #)|float",
                             "(' ' * #)|trim",
                             "('%%' * #) % ()",
                             "('A' * #) is upper",
                             "('x' * #).strip('abcdefghijklmnopqrstuvwx')"}) {
    const std::string source = "{% if " + std::string(search) + " %}{% endif %}";
    const auto steps = [&](size_t size) { return stepsOf(sized(source, size)); };
    const uint64_t small = steps(1000);
    EXPECT_GT(small, 1000U / 64) << search;
    EXPECT_NEAR(static_cast<double>(steps(2000)) / static_cast<double>(small), 2, 0.5) << search;
    EXPECT_NEAR(static_cast<double>(steps(4000)) / static_cast<double>(small), 4, 1) << search;
  }
}

// Without payment for the work, 3,000 rounds take some 80,000 steps in all.
TEST(Limits, StopLoopsOverSlowOperations) {
  Options options;
  options.limits.fuel = 200'000;
  const std::string loop =
      "{% set a = range(1000)|list %}{% set b = range(1000)|list %}{% set d = {} %}"
      "{% for i in range(1000) %}{% set _ = d.update({(i, 1): 1}) %}{% endfor %}"
      "{% for i in range(3000) %}";
  for (const char* work :
       {"{% if a == b %}{% endif %}", "{% if a < b %}{% endif %}",
        "{% if a|sort == b %}{% endif %}", "{% if [a] == [b] %}{% endif %}",
        "{% if dict(x=a) == dict(x=b) %}{% endif %}", "{% if ('x' * 4000).isupper() %}{% endif %}",
        "{% set _ = (' ' * 4000)|int %}", "{% set _ = ('é' * 400).swapcase() %}",
        "{% set _ = ('a' * 400).strip('b' * 400 ~ 'a') %}",
        "{% set _ = a.remove(a[0]) %}{% set _ = a.append(1) %}",
        "{% set _ = d.popitem() %}{% set _ = d.update({(i, 2): 1}) %}"}) {
    EXPECT_EQ(outcomeOf(loop + work + "{% endfor %}", options), "steps") << work;
  }
}

TEST(Limits, StopKeysWhoseHashesCollide) {
  // Multiples of 2^64 / golden ratio's inverse have equal high bits, and so equal hashes.
  Options options;
  options.limits.fuel = 100'000;
  const std::string source =
      "{% set d = {} %}{% for i in range(2000) %}"
      "{% set _ = d.update({(i * 17428512612931826493 + 2**63) % 2**64 - 2**63: 1}) %}{% endfor %}";
  EXPECT_EQ(outcomeOf(source, options), "steps");
  EXPECT_EQ(outcomeOf("{% set d = {} %}{% for i in range(2000) %}"
                      "{% set _ = d.update({(i, i): 1}) %}{% endfor %}{{ d|length }}",
                      options),
            "2000");
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

TEST(Limits, AllowAListOfTheMostItemsAndNoLongerOne) {
  Options options;
  options.limits.collection = 3;
  EXPECT_EQ(outcomeOf("{{ range(3)|list }}", options), "[0, 1, 2]");
  EXPECT_EQ(outcomeOf("{{ range(4)|list }}", options), "collection_size");
}

// A text of too many digits is read as a double, which cannot be this number.
TEST(Limits, DoNotCountTheUnderscoresOfAnIntegerAsDigits) {
  EXPECT_EQ(outcomeOf("{{ ('0_' * 4000 ~ '9007199254740993')|int }}"), "9007199254740993");
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
