// Tests how options are read, and the errors of unknown names and wrong values.
#include "json/options_reader.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::json {
namespace {

using test::Json;

enum class Color : uint8_t { kRed, kGreen };
constexpr std::array<std::string_view, 2> kColors = {"red", "green"};

struct Options {
  std::string name = "unset";
  Color color = Color::kRed;
  bool on = false;
  double share = 0.5;
  double weight = 1;
  uint32_t tokens = 7;
  uint32_t protect = 8;
  std::vector<std::string> tools;
  std::string inner;
  size_t rows = 0;
};

Status read(Given given, Options& into, Spelling spelling = Spelling::kExact) {
  OptionsReader options(given, "/o", spelling);
  options.nonEmptyString("name", into.name).oneOf("color", kColors, into.color);
  options.boolean("on", into.on).number("share", into.share).amount("weight", into.weight);
  options.count("tokens", into.tokens).size("protect", into.protect);
  options.strings("tools", into.tools).object("any").accept("else_where");
  options.nested("inner", [&](OptionsReader& inner) { inner.string("text", into.inner); });
  options.list("rows", [&](OptionsReader& row) { row.count("id", into.rows, Need::kRequired); });
  return options.finish();
}

// Returns the message of the error, or "ok".
std::string messageOf(const std::string& text, Spelling spelling = Spelling::kExact) {
  const Json json(text);
  EXPECT_TRUE(json.ok()) << text;
  Options into;
  const Status status = read(json.root(), into, spelling);
  if (status) return "ok";
  return std::string(status.error().code) + ": " + describeOptionError(status.error());
}

std::string with(const std::string& rest) { return messageOf(R"({"name":"a",)" + rest + "}"); }

TEST(OptionsReader, ReadsEveryKindOfOption) {
  const Json json(R"({"name":"\u0061b","color":"green","on":true,"share":-0.25,"weight":2.5,
      "tokens":4294967295,"protect":1.9,"tools":["x","y"],"any":{"b":1},"else_where":null,
      "inner":{"text":"t"},"rows":[{"id":1},{"id":1e1}]})");
  Options into;
  ASSERT_TRUE(read(json.root(), into));
  EXPECT_EQ(into.name, "ab");
  EXPECT_EQ(into.color, Color::kGreen);
  EXPECT_TRUE(into.on);
  EXPECT_EQ(into.share, -0.25);
  EXPECT_EQ(into.weight, 2.5);
  EXPECT_EQ(into.tokens, 4294967295U);
  EXPECT_EQ(into.protect, 1U);
  EXPECT_EQ(into.tools, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(into.inner, "t");
  EXPECT_EQ(into.rows, 10U);
}

TEST(OptionsReader, LeavesWhatIsNotGiven) {
  const Json json(R"({"name":"a"})");
  Options into;
  ASSERT_TRUE(read(json.root(), into));
  EXPECT_EQ(into.share, 0.5);
  EXPECT_EQ(into.tokens, 7U);
  EXPECT_EQ(into.color, Color::kRed);
}

TEST(OptionsReader, SaysWhatWasExpectedAndWhatWasGiven) {
  EXPECT_EQ(messageOf("{}"), "field.invalid: /o/name must be a non-empty string");
  EXPECT_EQ(messageOf(R"({"name":""})"),
            R"(field.invalid: /o/name must be a non-empty string, not "")");
  EXPECT_EQ(messageOf(R"({"name":5})"), "field.invalid: /o/name must be a non-empty string, not 5");
  EXPECT_EQ(with(R"("color":"blue")"),
            R"(field.invalid: /o/color must be 'red' or 'green', not "blue")");
  EXPECT_EQ(with(R"("on":1)"), "field.invalid: /o/on must be true or false, not 1");
  EXPECT_EQ(with(R"("share":"x")"), R"(field.invalid: /o/share must be a number, not "x")");
  EXPECT_EQ(with(R"("weight":-1)"),
            "field.invalid: /o/weight must be a non-negative number, not -1");
  EXPECT_EQ(with(R"("tools":"x")"), R"(field.invalid: /o/tools must be an array, not "x")");
  EXPECT_EQ(with(R"("tools":["x",null])"), "field.invalid: /o/tools/1 must be a string, not null");
  EXPECT_EQ(with(R"("any":[])"), "field.invalid: /o/any must be an object, not an array");
  EXPECT_EQ(with(R"("inner":{"text":{}})"),
            "field.invalid: /o/inner/text must be a string, not an object");
  EXPECT_EQ(with(R"("inner":true)"), "field.invalid: /o/inner must be an object, not true");
  EXPECT_EQ(with(R"("rows":[{"id":1},{}])"),
            "field.invalid: /o/rows/1/id must be a non-negative integer");
  EXPECT_EQ(with(R"("rows":[5])"), "field.invalid: /o/rows/0 must be an object, not 5");
  EXPECT_EQ(messageOf("5"), "field.invalid: /o must be an object, not 5");
}

TEST(OptionsReader, RefusesNumbersThatAreNoCounts) {
  for (const char* count : {"-1", "0.5", "9007199254740992", "1e300", "null", "\"1\"", "true"}) {
    EXPECT_EQ(with("\"tokens\":" + std::string(count)).substr(0, 29),
              "field.invalid: /o/tokens must")
        << count;
  }
  EXPECT_EQ(with("\"share\":1e999").substr(0, 28), "field.invalid: /o/share must");
  for (const char* count : {"0", "5.0", "1e3", "9007199254740991"}) {
    EXPECT_EQ(with("\"tokens\":" + std::string(count)), "ok") << count;
  }
}

TEST(OptionsReader, CountsThatDoNotFitBecomeTheMaximum) {
  const Json json(R"({"name":"a","tokens":4294967301,"protect":1e30})");
  Options into;
  ASSERT_TRUE(read(json.root(), into));
  EXPECT_EQ(into.tokens, UINT32_MAX);
  EXPECT_EQ(into.protect, UINT32_MAX);
}

TEST(OptionsReader, RefusesUnknownNamesBeforeInvalidValues) {
  EXPECT_EQ(messageOf(R"({"nam":"a"})"),
            "field.unknown: /o/nam is not an option. Options: name, color, on, share, weight, "
            "tokens, protect, tools, any, else_where, inner, rows");
  EXPECT_EQ(messageOf(R"({"toknes":1})").substr(0, 77),
            "field.unknown: /o/toknes is not an option. Did you mean tokens?");
  EXPECT_EQ(with(R"("inner":{"a/b~":1})"),
            "field.unknown: /o/inner/a~1b~0 is not an option. Options: text");
  EXPECT_EQ(with(R"("elseWhere":1)").substr(0, 13), "field.unknown");
}

TEST(OptionsReader, ReadsBothSpellings) {
  const auto both = [](const std::string& text) {
    return messageOf(text, Spelling::kSnakeOrCamel);
  };
  EXPECT_EQ(both(R"({"name":"a","elseWhere":1,"else_where":2,"color":null})"), "ok");
  EXPECT_EQ(both(R"({"name":"a","else_Where":1})").substr(0, 13), "field.unknown");
  EXPECT_EQ(both(R"({"name":null})"), "field.invalid: /o/name must be a non-empty string");
}

TEST(OptionsReader, NamesAnOptionAsTheCallerSpelledIt) {
  for (const std::string name : {"max_turns", "maxTurns"}) {
    const Json json("{\"" + name + "\":-1}");
    OptionsReader options(json.root(), "/o", Spelling::kSnakeOrCamel);
    uint32_t turns = 0;
    EXPECT_EQ(options.count("max_turns", turns).finish().error().path, "/o/" + name);
  }
}

TEST(OptionsReader, MayAcceptOtherNames) {
  const Json json(R"({"a":1,"b":2})");
  OptionsReader options(json.root());
  uint32_t a = 0;
  EXPECT_TRUE(options.count("a", a).acceptOthers().finish());
  EXPECT_EQ(a, 1U);
}

TEST(OptionsReader, ReadsOneNameTwice) {
  const Json json(R"({"a":1,"b":2})");
  OptionsReader options(json.root());
  EXPECT_EQ(options.accept("a").accept("a").finish().error().path, "/b");
}

TEST(OptionsReader, ReadsMapsOfStrings) {
  const Json json(R"({"good":{"x":"1","y":"2"},"bad":{"a/b":5}})");
  std::vector<std::pair<std::string, std::string>> map;
  OptionsReader options(json.root());
  EXPECT_TRUE(options.stringMap("good", map).ok());
  ASSERT_EQ(map.size(), 2U);
  EXPECT_EQ(map[1].first + map[1].second, "y2");
  EXPECT_EQ(options.stringMap("bad", map).finish().error().path, "/bad/a~1b");
}

TEST(OptionsReader, CutsLongTextsInMessages) {
  const std::string text = std::string(39, 'x') + "\xC3\xA4";
  EXPECT_EQ(
      with(R"("color":")" + text + "\""),
      "field.invalid: /o/color must be 'red' or 'green', not \"" + std::string(39, 'x') + "\"");
}

}  // namespace
}  // namespace strata::json
