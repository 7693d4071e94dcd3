// Tests prompt arguments against the cases of tests/cases/rapida_prompt_args.json (from the GitHub
// repository rapidaai/voice-ai). Two differences are deliberate: an argument never replaces a
// namespace, and the result shares nothing with its sources.
#include <gtest/gtest.h>

#include "base/timestamp.h"
#include "prompt/dotted_keys.h"
#include "prompt/merge.h"
#include "prompt/prompt_arguments.h"
#include "prompt/prompt_template.h"
#include "prompt/time_fields.h"
#include "support/cases.h"
#include "support/json_file.h"

namespace strata::prompt {
namespace {

using test::Case;
using test::Cases;
using test::Json;
using Strings = std::vector<std::string>;

Case cases() {
  static const Cases read = test::readCases("tests/cases/rapida_prompt_args.json");
  return read.root();
}

// Returns `value` without white space between its tokens, and with its members sorted by key.
std::string canonical(Case value) {
  std::string out;
  if (value.isObject()) {
    std::vector<std::pair<std::string, std::string>> sorted;
    for (const test::CaseMember& member : value.members()) {
      sorted.emplace_back(member.key, canonical(member.value));
    }
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [key, text] : sorted) out += key + "=" + text + ";";
    return "{" + out + "}";
  }
  if (!value.isArray()) return value.bytes();
  for (const Case each : value.elements()) out += canonical(each) + ",";
  return "[" + out + "]";
}

std::string canonical(const std::string& text) {
  const Cases read(text);
  EXPECT_TRUE(read.ok()) << text;
  return canonical(read.root());
}

// The arguments built from a fixed time and `rest`.
struct BuiltArguments {
  explicit BuiltArguments(const std::string& rest)
      : sources(R"({"now":"2026-03-05T07:08:09.123Z")" + rest + "}"),
        result(promptArguments(sources.root())),
        json(result ? result.value().json : "{}"),
        arguments(json) {}

  Case find(std::string_view name) const { return arguments.root().find(name); }
  Strings codes() const {
    const catalogue::Catalogue catalogue;
    Strings all;
    for (const catalogue::Finding& each : result.value().findings) {
      all.push_back(std::string(catalogue.rule(each.rule).code) + " " + each.arg1);
    }
    return all;
  }
  std::string render(const std::string& source) const {
    const auto options = promptTemplateOptions(jinja::Dialect::kPongo2);
    const auto text = jinja::Template::compile(source, options).value().render(json, {});
    return text ? text.value() : text.error().message;
  }

  Json sources;
  Result<PromptArguments> result;
  std::string json;
  Cases arguments;
};

TEST(Arguments, WritesTheTimeFieldsOfTheCaseFile) {
  const Case examples = cases().find("system_examples");
  for (const Case given : examples.elements()) {
    json::Writer out;
    out.open('{');
    writeTimeFields(out, *readTimestamp(given.find("utc").text()));
    EXPECT_EQ(canonical(out.close('}').take()), canonical(given.find("expected")));
  }
  EXPECT_EQ(examples.size(), 2U);
}

TEST(Arguments, ReadsTimestampsInAnyTimeZone) {
  EXPECT_EQ(readTimestamp("2026-03-05T08:08:09.1239+01:00"), 1772694489123);
  EXPECT_EQ(readTimestamp("1970-01-01T00:00:00-00:30"), 1800000);
  EXPECT_EQ(readTimestamp("1969-12-31T23:59:59.5Z"), -500);
  EXPECT_EQ(formatTimestamp(-500), "1969-12-31T23:59:59Z");
  EXPECT_EQ(readTimestamp("2016-12-31T23:59:60Z"), readTimestamp("2017-01-01T00:00:00Z"));
  // The last second and March 1 of every year.
  for (int year = 0; year <= 9999; ++year) {
    std::string text = std::to_string(10000 + year).substr(1) + "-12-31T23:59:59Z";
    ASSERT_EQ(formatTimestamp(*readTimestamp(text)), text);
    text = text.substr(0, 4) + "-03-01T00:00:00Z";
    ASSERT_EQ(formatTimestamp(*readTimestamp(text)), text);
  }
  for (const char* bad : {"2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z",
                          "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01", "",
                          "2026-01-01T00:00:00Zz", "+026-01-01T00:00:00Z"}) {
    EXPECT_FALSE(readTimestamp(bad)) << bad;
  }
  EXPECT_TRUE(readTimestamp("2024-02-29T00:00:00Z"));
}

TEST(Arguments, FormatsTheDurationsOfTheCaseFile) {
  const Case examples = cases().find("duration").find("examples");
  for (const Case given : examples.elements()) {
    EXPECT_EQ(formatDuration(given.at(0).integer(-1)), given.at(1).text());
  }
  EXPECT_EQ(examples.size(), 5U);
  EXPECT_EQ(formatDuration(-61), "-1m1s");
}

TEST(Arguments, MergesTheMapsOfTheCaseFile) {
  for (const Case given : cases().find("merge").elements()) {
    const Json read(given.find("maps").bytes());
    std::vector<json::Value> maps;
    for (const json::Value map : json::elements(read.root())) maps.push_back(map);
    EXPECT_EQ(canonical(mergeMaps(maps)), canonical(given.find("merged")))
        << given.find("name").text();
  }
  EXPECT_EQ(cases().find("merge").size(), 14U);
}

TEST(Arguments, ExpandsTheDottedKeysOfTheCaseFile) {
  const Case given = cases().find("canonicalize").find("cases");
  for (const Case each : given.elements()) {
    catalogue::Findings findings;
    const Json input(each.find("input").bytes());
    const auto expanded = expandDottedKeys(input.root(), "/args", findings);
    EXPECT_EQ(canonical(expanded.value()), canonical(each.find("canonical")))
        << each.find("name").text();
    // Unlike voice-ai, a lost value is reported.
    const bool lossy = each.find("note").isString() || each.find("name").equals("space_segment");
    EXPECT_EQ(!findings.empty(), lossy) << each.find("name").text();
  }
  EXPECT_EQ(given.size(), 9U);
}

TEST(Arguments, AnExistingValueWinsOverADottedKey) {
  catalogue::Findings findings;
  const Json given(R"({"a.b":2,"a":{"b":1},"m.x":{"p":1},"m":{"x":{"q":2}}})");
  const auto expanded = expandDottedKeys(given.root(), "/args", findings);
  EXPECT_EQ(canonical(expanded.value()), "{a={b=1;};m={x={p=1;q=2;};};}");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().path, "/args/a.b");
  const Json deep("{\"" + std::string(100000, '.') + "\":1}");
  const auto tooDeep = expandDottedKeys(deep.root(), "/args", findings);
  ASSERT_FALSE(tooDeep);
  EXPECT_EQ(tooDeep.error().code, "json.too_deep");
}

TEST(Arguments, BuildsTheNamespacesOfTheCaseFile) {
  const Case tests = cases().find("namespace_tests");
  const Case assistant = tests.at(0);
  const BuiltArguments built(R"(,"assistant":)" + assistant.find("assistant").bytes() +
                             R"(,"args":)" + assistant.find("args").bytes());
  for (const test::CaseMember& expected : assistant.find("expected").members()) {
    EXPECT_EQ(canonical(built.find(expected.key)), canonical(expected.value));
  }
  // The case has the age of the conversation; the sources take its start.
  const Case conversation = tests.at(1);
  std::string given = conversation.find("conversation").bytes();
  given.insert(1,
               R"("created_date":"2026-03-05T07:05:09Z","updated_date":"0001-01-01T00:00:00Z",)");
  const BuiltArguments inConversation(R"(,"conversation":)" + given);
  const Case expected = conversation.find("expected");
  for (const std::string_view name : {"id", "identifier", "source", "direction"}) {
    EXPECT_EQ(inConversation.find("conversation").find(name).text(), expected.find(name).text());
  }
  EXPECT_EQ(inConversation.find("conversation").find("created_date").text(),
            "2026-03-05T07:05:09Z");
  EXPECT_EQ(inConversation.find("conversation").find("duration").text(), "3m0s");
  EXPECT_FALSE(inConversation.find("conversation").find("updated_date"));
  EXPECT_EQ(inConversation.find("session").bytes(), "{}");
  const BuiltArguments session(R"(,"session":{"mode":"audio"})");
  EXPECT_EQ(canonical(session.find("session")), canonical(tests.at(3).find("expected_session")));
}

TEST(Arguments, RendersTheTemplatesOfTheCaseFile) {
  for (const Case given : cases().find("upstream_later_tests").elements()) {
    std::string rest;
    for (const std::string_view name : {"args", "user", "variables"}) {
      if (!given.find(name)) continue;
      rest += ",\"" + std::string(name) + "\":" + given.find(name).bytes();
    }
    // A later revision of voice-ai defaults to English; this library leaves the language empty.
    const bool defaultsToEnglish = given.find("name").equals("blank_language");
    const Case expected = given.find(defaultsToEnglish ? "seed_era_expected" : "expected");
    EXPECT_EQ(BuiltArguments(rest).render(given.find("template").text()), expected.text());
  }
}

TEST(Arguments, AnArgumentNeverReplacesANamespace) {
  const BuiltArguments built(R"(,"message":{"text":"hi","language":"en"},"args":{"message":"shadow",
      "system.current_date":"never","args":{"k":1},"name":"Li"})");
  EXPECT_EQ(built.find("message").find("text").text(), "hi");
  EXPECT_EQ(built.find("system").find("current_date").text(), "2026-03-05");
  EXPECT_EQ(built.find("args").find("message").text(), "shadow");
  EXPECT_EQ(built.find("args").find("args").find("k").bytes(), "1");
  EXPECT_EQ(built.find("args").find("system").find("current_date").text(), "never");
  EXPECT_EQ(built.find("name").text(), "Li");
  EXPECT_EQ(built.codes(),
            (Strings{"argument.shadows_namespace message", "argument.shadows_namespace args",
                     "argument.shadows_namespace system"}));
}

TEST(Arguments, BuildsManyArgumentsInLinearTime) {
  std::string args;
  for (int i = 0; i < 50'000; ++i) {
    args += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + R"(.x":1)";
  }
  const Json sources(R"({"now":"2026-03-05T07:08:09Z","args":{)" + args + "}}");
  const auto built = promptArguments(sources.root());
  ASSERT_TRUE(built);
  EXPECT_NE(built.value().json.find(R"("k49999":{"x":1})"), std::string::npos);
}

TEST(Arguments, AnyValueEvenAnEmptyOneWinsOverADefault) {
  const BuiltArguments built(R"(,"message":{"text":"hi","language":""},"args":{"name":""},
      "variables":{"name":"default","city":"Rome","message.language":"English","args.name":"x"})");
  EXPECT_EQ(built.find("name").text(), "");
  EXPECT_EQ(built.find("city").text(), "Rome");
  EXPECT_EQ(built.find("message").find("language").text(), "");
  EXPECT_EQ(built.find("args").find("name").text(), "");
}

TEST(Arguments, TakesTheMessageFromTheHistoryIfNoneIsGiven) {
  const auto message = [](const std::string& rest) {
    return canonical(BuiltArguments(rest).find("message"));
  };
  const std::string history =
      R"(,"history":[{"role":"user","text":"bonjour","language":"fr"},
          {"role":"user","content":"encore","language":""},{"role":"assistant","content":"oui"},
          {"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}])";
  EXPECT_EQ(message(history), R"({language="fr";text="encore";})");
  EXPECT_EQ(message(history + R"(,"metadata":{"client.language":"de"})"),
            R"({language="fr";text="encore";})");
  EXPECT_EQ(message(R"(,"metadata":{"client.language":"de"})"), R"({language="de";text="";})");
  EXPECT_EQ(message(history + R"(,"message":{"text":"new","language":""})"),
            R"({language="";text="new";})");
  for (const Case each : cases().find("response_language").find("cases").elements()) {
    EXPECT_EQ(BuiltArguments(",\"metadata\":" + each.find("metadata").bytes() +
                             ",\"history\":" + each.find("history").bytes())
                  .find("message")
                  .find("language")
                  .text(),
              each.find("expected").text());
  }
}

TEST(Arguments, RejectsInvalidSourcesWithTheirPath) {
  const auto path = [](const std::string& text) {
    const Json sources(text);
    const auto built = promptArguments(sources.root());
    return built ? "none" : built.error().path;
  };
  EXPECT_EQ(path("[]"), "");
  EXPECT_EQ(path("{}"), "/now");
  EXPECT_EQ(path(R"({"now":"today"})"), "/now");
  EXPECT_EQ(path(R"({"now":"2026-03-05T07:08:09Z","args":[]})"), "/args");
  EXPECT_EQ(path(R"({"now":"2026-03-05T07:08:09Z","conversation":{"created_date":"old"}})"),
            "/conversation/created_date");
  EXPECT_EQ(path(R"({"now":"2026-03-05T07:08:09Z","variables":[{}]})"), "/variables/0/name");
  EXPECT_EQ(path(R"({"now":"2026-03-05T07:08:09Z"})"), "none");
}

}  // namespace
}  // namespace strata::prompt
