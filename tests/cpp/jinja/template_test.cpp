// Tests the public interface of the template engine: error positions, variables, hosts, limits and
// reuse.
#include "jinja/template.h"

#include <gtest/gtest.h>

#include <string>

namespace strata::jinja {
namespace {

std::string rendered(const std::string& source, std::string_view context, Options options = {},
                     const RenderInput& input = {}) {
  const auto compiled = Template::compile(source, std::move(options));
  if (!compiled) return "compile: " + compiled.error().message;
  const auto text = compiled.value().render(context, input);
  return text ? text.value() : std::string(nameOf(text.error().kind)) + ": " + text.error().message;
}

TEST(Template, ReportsThePositionOfASyntaxError) {
  const auto compiled = Template::compile("first\r\nü {{ a b }}\r\n", {}, "page");
  ASSERT_FALSE(compiled);
  const TemplateError& error = compiled.error();
  EXPECT_EQ(error.kind, ErrorKind::kSyntax);
  EXPECT_EQ(error.message, "expected token 'end of print statement', got 'b'");
  EXPECT_EQ(error.templateName, "page");
  EXPECT_EQ(error.line, 2U);
  EXPECT_EQ(error.column, 8U);
  EXPECT_EQ(error.offset, 15U);  // in bytes of the original text
  EXPECT_EQ(error.excerpt, "ü {{ a b }}");
}

TEST(Template, ReportsThePositionOfABracketThatClosesAnother) {
  const auto compiled = Template::compile("{{ (a] }}", {});
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().message, "unexpected ']', expected ')'");
  EXPECT_EQ(compiled.error().column, 6U);
}

// The messages are those of Jinja2 3.1.2.
TEST(Template, NamesTheTagsThatCouldFollow) {
  const std::string close = " The innermost block that needs to be closed is ";
  const std::vector<std::pair<std::string, std::string>> messages = {
      {"{% foo %}", "Encountered unknown tag 'foo'."},
      {"{% endfor %}", "Encountered unknown tag 'endfor'."},
      {"{% if a %}{% endfor %}",
       "Encountered unknown tag 'endfor'. Jinja was looking for the following tags: 'elif' or "
       "'else' or 'endif'." +
           close + "'if'."},
      {"{% if a %}{% for b in c %}{% endif %}",
       "Encountered unknown tag 'endif'. You probably made a nesting mistake. Jinja is expecting "
       "this tag, but currently looking for 'endfor' or 'else'." +
           close + "'for'."},
      {"{% if a %}",
       "Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or "
       "'endif'." +
           close + "'if'."}};
  for (const auto& [source, message] : messages) {
    EXPECT_EQ(rendered(source, "{}"), "compile: " + message) << source;
  }
}

TEST(Template, ReportsThePositionOfARuntimeErrorInAnIncludedTemplate) {
  Options options;
  options.templates = {{"part", "one\n{{ x.y.z }}"}};
  const auto compiled = Template::compile("{% include 'part' %}", options);
  ASSERT_TRUE(compiled);
  const auto text = compiled.value().render("{}", {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().kind, ErrorKind::kUndefined);
  EXPECT_EQ(text.error().templateName, "part");
  EXPECT_EQ(text.error().line, 2U);
  EXPECT_EQ(text.error().excerpt, "{{ x.y.z }}");
}

TEST(Template, ListsItsVariables) {
  const auto compiled = Template::compile(
      "{% set a = b %}{{ a }}{{ range(3) }}{% for c in d.e %}{{ c }}{{ loop.index }}{{ f }}"
      "{% endfor %}{% macro m(g) %}{{ g }}{{ h }}{% endmacro %}{{ host(1) }}",
      [] {
        Options options;
        options.functions = {"host"};
        return options;
      }());
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled.value().variables(), (std::vector<std::string>{"b", "d", "f", "h"}));
}

TEST(Template, ListsTheVariablesOfReferencedTemplates) {
  Options options;
  options.templates = {{"base", "{{ title }}{% block b %}{{ inner }}{% endblock %}"},
                       {"part", "{{ given }}{{ asked }}{% include ['none', 'deep'] %}"},
                       {"deep", "{{ deepest }}{% include 'part' %}"},
                       {"tools", "{% macro m() %}{{ unseen }}{% endmacro %}"},
                       {"broken", "{% if %}"}};
  const auto compiled = Template::compile(
      "{% extends 'base' %}{% set given = 1 %}{% import 'tools' as t %}"
      "{% block b %}{% include 'part' %}{% include 'broken' %}{% include own %}{% endblock %}",
      options);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled.value().variables(),
            (std::vector<std::string>{"asked", "deepest", "inner", "own", "title"}));
}

TEST(Template, KeepsTheOuterValueIfNoBranchAssigns) {
  const std::string source = "{% if c %}{% set x = 1 %}{% endif %}{{ x }}";
  EXPECT_EQ(rendered(source, R"({"x": 0, "c": true})"), "1");
  EXPECT_EQ(rendered(source, R"({"x": 0, "c": false})"), "0");
}

TEST(Template, RefusesToWrapAnUndefinedText) {
  EXPECT_EQ(rendered("{{ u|wordwrap }}", "{}"), "undefined: 'u' is undefined");
}

TEST(Template, WrapsAfterAHyphenThatFollowsLettersAndNotADigit) {
  EXPECT_EQ(rendered("{{ 'ab-cd a1-bcd'|wordwrap(3, false) }}", "{}"), "ab-\ncd\na1-bcd");
}

// Python's html.unescape gives these.
TEST(Template, DecodesTheReferencesThatNeedNoSemicolonWithoutOne) {
  EXPECT_EQ(
      rendered("{{ s|striptags }}",
               R"({"s": "&amp &lt &gt &quot &nbsp &copy &reg &deg &middot &laquo &raquo &times"})"),
      "& < > \" \u00a0 © ® ° · « » ×");
  const std::string kept =
      "&apos &ndash &mdash &lsquo &rsquo &ldquo &rdquo &bull &hellip &euro &trade &larr &rarr";
  EXPECT_EQ(rendered("{{ s|striptags }}", "{\"s\": \"" + kept + "\"}"), kept);
}

TEST(Template, TakesNoReferenceOutOfALongerOne) {
  EXPECT_EQ(rendered("{{ '&ltimes; &lt;imes &ltx'|striptags }}", "{}"), "&ltimes; <imes <x");
}

TEST(Template, ImportsNamesThatAreSetAfterOthersAreRead) {
  Options options;
  options.templates = {{"part", "{{ a }}{% set b = 1 %}"}};
  EXPECT_EQ(rendered("{% import 'part' as part %}{{ part.b }}", "{}", options), "1");
}

TEST(Template, RefusesArgumentsFromWhatIsNoSequence) {
  EXPECT_EQ(rendered("{{ dict(*5) }}", "{}"), "runtime: 'int' object is not iterable");
}

TEST(Template, JoinsWithAnEmptyTextFirst) {
  EXPECT_EQ(rendered("{% set join = joiner() %}{{ join() }}a{{ join() }}b", "{}"), "a, b");
}

TEST(Template, UpdatesADictWithPairs) {
  EXPECT_EQ(rendered("{% set d = {} %}{% set _ = d.update([(1, 2)]) %}{{ d }}", "{}"), "{1: 2}");
  EXPECT_EQ(rendered("{{ {}.update([(1, 2, 3)]) }}", "{}"),
            "runtime: dictionary update sequence element has not the length 2");
}

TEST(Template, GivesTheNameOfAMacroAndNoneForACaller) {
  EXPECT_EQ(rendered("{% macro m() %}{{ caller.name }}{% endmacro %}{{ m.name }} "
                     "{% call m() %}{% endcall %}",
                     "{}"),
            "m None");
}

TEST(Template, TakesNoMoreArgumentsForAMacroThatSetsVarargs) {
  EXPECT_EQ(
      rendered("{% macro m() %}{% set varargs = 1 %}{{ varargs }}{% endmacro %}{{ m(2) }}", "{}"),
      "runtime: macro 'm' takes not more than 0 argument(s)");
}

TEST(Template, RendersAgainAfterAnyError) {
  Options options;
  options.limits.fuel = 2000;
  const auto compiled =
      Template::compile("{% for i in range(n) %}{{ i }}{% endfor %}{{ 1 // d }}", options);
  ASSERT_TRUE(compiled);
  const Template& page = compiled.value();
  EXPECT_EQ(page.render(R"({"n": 99999, "d": 1})", {}).error().kind, ErrorKind::kLimit);
  EXPECT_EQ(page.render(R"({"n": 1, "d": 0})", {}).error().kind, ErrorKind::kZeroDivision);
  EXPECT_EQ(page.render("[]", {}).error().kind, ErrorKind::kRuntime);
  EXPECT_EQ(page.render(R"({"n": 3, "d": 1})", {}).value(), "0121");
}

TEST(Template, DoesNotModifyTheContext) {
  const auto compiled = Template::compile("{{ l.append(2) }}{{ l }}", {});
  ASSERT_TRUE(compiled);
  const std::string context = R"({"l": [1]})";
  EXPECT_EQ(compiled.value().render(context, {}).value(), "None[1, 2]");
  EXPECT_EQ(compiled.value().render(context, {}).value(), "None[1, 2]");
}

TEST(Template, LipsumTakesAnyNumbersOfWords) {
  EXPECT_EQ(rendered("{{ lipsum(1, false, -9223372036854775807, 9223372036854775807) }}", "{}"),
            ".");
  EXPECT_EQ(rendered("{{ lipsum(1, false, 3, -9223372036854775807).split()|length }}", "{}"), "3");
}

TEST(Template, FormatsTheGivenTime) {
  EXPECT_EQ(rendered("{{ strftime_now('%A %d %b %Y, %H:%M:%S, %j, %-d') }}", "{}", {},
                     {"2026-03-01T09:05:07Z", nullptr}),
            "Sunday 01 Mar 2026, 09:05:07, 060, 1");
  EXPECT_EQ(rendered("{{ strftime_now('%Y') }}", "{}"),
            "runtime: strftime_now needs the time as ISO 8601, got ''");
}

// Returns the least fuel with which a template renders for a text `s` of this many bytes.
uint64_t fuelFor(const std::string& source, size_t bytes, Dialect dialect) {
  const std::string context = "{\"s\":\"" + std::string(bytes, 'a') + "\"}";
  Options options;
  options.dialect = dialect;
  uint64_t least = 0;
  for (uint64_t step = 4096; step > 0; step /= 2) {
    options.limits.fuel = least + step - 1;
    if (rendered(source, context, options).starts_with("limit: ")) least += step;
  }
  return least;
}

// Returns how much more an expression uses for a text `s` of 4,096 bytes than for an empty one.
uint64_t fuelFor4096Bytes(const std::string& expression, Dialect dialect = Dialect::kJinja2) {
  const std::string source = "{{ " + expression + " }}";
  return fuelFor(source, 4096, dialect) - fuelFor(source, 0, dialect);
}

TEST(Template, UsesOneFuelForEach64BytesThatItSearches) {
  EXPECT_EQ(fuelFor4096Bytes("s is string"), 0U);
  for (const char* search : {"s.count('x')", "s.find('x')", "'x' in s"}) {
    EXPECT_EQ(fuelFor4096Bytes(search), 4096U / 64) << search;
  }
}

TEST(Template, UsesFuelForTextsOfWhichLittleIsPrinted) {
  for (const char* read : {"s|length",
                           "s|wordcount",
                           "s|int",
                           "s|float",
                           "s|striptags|length",
                           "s|trim|first",
                           "s|truncate(9)",
                           "s|random",
                           "(s|wordwrap)[:1]",
                           "s is lower",
                           "s is upper",
                           "s.isalpha()",
                           "s.isascii()",
                           "s.isidentifier()",
                           "s.istitle()",
                           "s.startswith('b')",
                           "s.endswith('b')",
                           "s.rfind('b')",
                           "s.strip('a')",
                           "s.lstrip('a')",
                           "s.rstrip('a')",
                           "s.zfill(1)|first",
                           "s.ljust(1)|first",
                           "s.partition('b')|length",
                           "s.split('b')|length",
                           "s.splitlines()|length",
                           "{}.get(s)",
                           "{}[s]",
                           "s in {}",
                           "{s: 1}|length",
                           "{}|attr(s)"}) {
    EXPECT_GE(fuelFor4096Bytes(read), 4096U / 64) << read;
  }
  for (const char* read :
       {"s|length", "s|wordcount", "s|integer", "s|truncatechars:9", "s|first", "s|length_is:1",
        "1|add:1|cut:s", "s - 1", "s * 1", "s < 1", "s ^ 1", "s == s", "s in s", "s[s]"}) {
    EXPECT_GE(fuelFor4096Bytes(read, Dialect::kPongo2), 4096U / 64) << read;
  }
  // Both filters examine a text, and the first one looks its characters up as well.
  for (const char* changed : {"s|upper|length", "s|lower|length", "s|title|length"}) {
    EXPECT_GE(fuelFor4096Bytes(changed, Dialect::kPongo2), 4096U / 8 * 3) << changed;
  }
}

// Python's datetime.strftime writes these, among them years of 53 weeks by ISO 8601.
TEST(Template, FormatsWeeksAndDaysAsPythonDoes) {
  const std::vector<std::pair<std::string, std::string>> days = {
      {"2016-01-03", "53 003 7 0 01 00 Sun"}, {"2018-12-31", "01 365 1 1 52 53 Mon"},
      {"2019-01-01", "01 001 2 2 00 00 Tue"}, {"2020-12-31", "53 366 4 4 52 52 Thu"},
      {"2021-01-03", "53 003 7 0 01 00 Sun"}, {"2021-01-04", "01 004 1 1 01 01 Mon"},
      {"2024-12-29", "52 364 7 0 52 52 Sun"}, {"2024-12-30", "01 365 1 1 52 53 Mon"},
      {"2026-12-31", "53 365 4 4 52 52 Thu"}, {"2027-01-01", "53 001 5 5 00 00 Fri"},
      {"2028-01-02", "52 002 7 0 01 00 Sun"}, {"2028-01-03", "01 003 1 1 01 01 Mon"},
      {"2024-02-29", "09 060 4 4 08 09 Thu"}, {"2024-03-01", "09 061 5 5 08 09 Fri"},
      {"2023-03-01", "09 060 3 3 09 09 Wed"}, {"2000-12-31", "52 366 7 0 53 52 Sun"},
      {"1900-12-31", "01 365 1 1 52 53 Mon"}, {"2001-01-01", "01 001 1 1 00 01 Mon"}};
  for (const auto& [day, expected] : days) {
    const std::string now = day + "T00:00:00Z";
    EXPECT_EQ(rendered("{{ strftime_now('%V %j %u %w %U %W %a') }}", "{}", {}, {now, nullptr}),
              expected)
        << day;
  }
}

class RecordingHost : public Host {
 public:
  Result<std::string> call(HostKind kind, size_t index, std::string_view arguments) override {
    seen += std::string(arguments);
    if (index == 1) return Error{"host.failed", 0, "", "no such file"};
    return std::string(kind == HostKind::kFilter ? R"({"k": ["filtered"]})" : "[1, 2.5, null]");
  }
  std::string seen;
};

TEST(Template, ExchangesJsonWithTheHost) {
  Options options;
  options.filters = {"wrap", "upper"};
  options.functions = {"numbers", "fails"};
  RecordingHost host;
  EXPECT_EQ(rendered("{{ ('a\"' | wrap(1, mode='x')).k[0] }}{{ numbers(u)[1] }}", "{}", options,
                     {"", &host}),
            "filtered2.5");
  EXPECT_EQ(host.seen, R"(["a\"",1,{"mode":"x"}][null])");
  EXPECT_EQ(rendered("{{ fails() }}", "{}", options, {"", &host}), "raised: no such file");
  EXPECT_EQ(rendered("{{ 'a' | upper }}", "{}", options, {"", &host}), "raised: no such file");
}

TEST(Template, RefusesNumbersForTheHostThatJsonLacks) {
  Options options;
  options.filters = {"wrap", "upper"};
  options.functions = {"numbers", "fails"};
  for (const char* source : {"{{ numbers(1e999) }}", "{{ numbers([{'a': -1e999}]) }}",
                             "{{ 1 | wrap(a=1e999) }}", "{{ 1e999 | wrap }}"}) {
    RecordingHost host;
    const std::string output = rendered(source, "{}", options, {"", &host});
    EXPECT_NE(output.find("Out of range float values are not JSON compliant"), std::string::npos)
        << source << ": " << output;
    EXPECT_EQ(host.seen, "");
  }
}

TEST(Template, ConcatenatesLongTextsInLinearTime) {
  EXPECT_EQ(rendered("{% set ns = namespace(s='') %}{% for i in range(9999) %}"
                     "{% set ns.s = ns.s ~ 'abcdefghij' %}{% endfor %}{{ ns.s | length }}",
                     "{}"),
            "99990");
}

}  // namespace
}  // namespace strata::jinja
