#include "json/value.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strata::json {
namespace {

TEST(Value, ReturnsEmptyResultsIfAbsent) {
  const Value absent;
  EXPECT_FALSE(absent);
  EXPECT_FALSE(absent.isString() || absent.isObject() || absent.isArray() || absent.isNumber() ||
               absent.isTrue() || absent.isNull());
  EXPECT_EQ(absent.bytes(), "");
  EXPECT_EQ(absent.raw(), "");
  EXPECT_EQ(absent.text(), "");
  EXPECT_FALSE(absent.equals(""));
  EXPECT_EQ(absent.integer(7), 7);
  EXPECT_EQ(absent.size(), 0U);
  EXPECT_FALSE(absent.find("a").find("b").at(3));
}

TEST(Value, FindsMembersByUnescapedKeys) {
  const std::string text = R"({"a":1,"b\u002fc":{"d":[10,20,[30]]},"last":null})";
  const Tape tape = Tape::read(text).value();
  EXPECT_EQ(tape.root().find("b/c").find("d").at(2).at(0).integer(0), 30);
  EXPECT_TRUE(tape.root().find("last").isNull());
  EXPECT_FALSE(tape.root().find("b"));
  EXPECT_FALSE(tape.root().find("a").find("a"));
  EXPECT_FALSE(tape.root().find("b/c").find("d").at(3));
  EXPECT_EQ(tape.root().size(), 3U);
  EXPECT_EQ(tape.root().find("b/c").find("d").size(), 3U);
}

TEST(Value, IteratesInTextOrder) {
  const std::string text = R"({"z":[{"x":[]},2],"a":"s","":{}})";
  const Tape tape = Tape::read(text).value();
  std::vector<std::string> keys;
  for (const Member each : members(tape.root())) keys.push_back(each.key.text());
  EXPECT_EQ(keys, (std::vector<std::string>{"z", "a", ""}));
  std::vector<std::string> values;
  for (const Value each : elements(tape.root().find("z"))) values.emplace_back(each.bytes());
  EXPECT_EQ(values, (std::vector<std::string>{R"({"x":[]})", "2"}));
  for (const Value each : elements(tape.root())) FAIL() << each.bytes();
  for (const Member each : members(tape.root().find("z"))) FAIL() << each.key.bytes();
}

TEST(Value, ComparesUnescapedStrings) {
  const std::string text = R"(["role","r\u006fle","ro\\le",1])";
  const Tape tape = Tape::read(text).value();
  EXPECT_TRUE(tape.root().at(0).equals("role"));
  EXPECT_TRUE(tape.root().at(1).equals("role"));
  EXPECT_FALSE(tape.root().at(0).equals("rol"));
  EXPECT_TRUE(tape.root().at(2).equals("ro\\le"));
  EXPECT_FALSE(tape.root().at(3).equals("1"));
}

TEST(Value, ReadsOnlyPlainIntegersThatFit) {
  const auto integer = [](const std::string& text) {
    const Tape tape = Tape::read(text).value();
    return tape.root().integer(-99);
  };
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("-12"), -12);
  EXPECT_EQ(integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(integer("9223372036854775808"), -99);
  EXPECT_EQ(integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(integer("-9223372036854775809"), -99);
  EXPECT_EQ(integer("18446744073709551615"), -99);
  EXPECT_EQ(integer("-18446744073709551616"), -99);
  EXPECT_EQ(integer("1.0"), -99);
  EXPECT_EQ(integer("1e2"), -99);
  EXPECT_EQ(integer("\"1\""), -99);
}

}  // namespace
}  // namespace strata::json
