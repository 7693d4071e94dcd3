// Findings are located where their values are written, in bytes and in UTF-16 units.
#include "lint/places.h"

#include <gtest/gtest.h>

#include "lint/lint.h"
#include "support/contents.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using json::TextUnit;
using test::Judge;
using Strings = std::vector<std::string>;

constexpr std::string_view kCodePoints =
    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D \xF0\x9F\x90\xA2 e\xCC\x81";

Findings located(std::string_view text, TextUnit unit) {
  const Judge judge;
  const json::LenientTape body(text);
  Findings findings = lintRequest(body, judge.context());
  const std::span all(findings.begin(), findings.size());
  findRanges(all, body);
  countPlaces(all, {}, text, unit);
  return findings;
}

// Returns "code line:column text" of each finding, in bytes.
Strings written(std::string_view text) {
  Strings lines;
  const Judge judge;
  for (const Finding& each : located(text, TextUnit::kByte)) {
    std::string line(judge.target().row(each.rule).code);
    line += " " + std::to_string(each.line) + ":" + std::to_string(each.column) + " ";
    lines.push_back(line.append(text.substr(each.begin, each.end - each.begin)));
  }
  return lines;
}

// Returns the offset in UTF-16 units of the byte at `offset`.
size_t unitsBefore(std::string_view text, size_t offset) {
  size_t units = 0;
  for (const char c : text.substr(0, offset)) {
    const auto byte = static_cast<unsigned char>(c);
    units += byte >= 0xF0 ? 2 : byte >= 0xC0 || byte < 0x80 ? 1 : 0;
  }
  return units;
}

TEST(Places, AreThoseOfTheNamedValues) {
  EXPECT_EQ(written(R"({"contents":[{"role":"user","parts":[{"text":"a"},{}]}]})"),
            (Strings{"part.no_data 1:51 {}"}));
  EXPECT_EQ(written("{\n \"contents\": [\n  {\"role\": \"user\", \"parts\": [ ] }\n ]\n}"),
            (Strings{"parts.empty 3:3 {\"role\": \"user\", \"parts\": [ ] }"}));
  EXPECT_EQ(written(" {\"contents\":{\"parts\":{\"text\":\"a\"}},\"a/b~\":[1]}"),
            (Strings{"field.unknown 1:44 [1]", R"(role.invalid 1:14 {"parts":{"text":"a"}})"}));
}

TEST(Places, OfAnAbsentMemberAreThoseOfItsObject) {
  EXPECT_EQ(written(R"( { "tools":[] } )"), (Strings{"contents.empty 1:2 { \"tools\":[] }"}));
}

TEST(Places, CountLinesThatEndWithCarriageReturnAndLineFeed) {
  EXPECT_EQ(
      written("{\"contents\":[\r\n{\"role\":\"user\",\"parts\":[{\"text\":\"a\"},\r\n  {}]}]}\r\n"),
      (Strings{"part.no_data 3:3 {}"}));
}

TEST(Places, AreThoseOfTheTextThatOnlyGooglesParserTakes) {
  EXPECT_EQ(written("{contents:[{role:'user',parts:[{},{'text':'a'}]}]}"),
            (Strings{"json.lenient 1:2 contents", "json.lenient 1:13 role",
                     "json.lenient 1:18 'user'", "json.lenient 1:25 parts",
                     "json.lenient 1:36 'text'", "json.lenient 1:43 'a'", "part.no_data 1:32 {}"}));
  EXPECT_EQ(written("{\"contents\":[{\"parts\":[{},],}]}").back(), "part.no_data 1:24 {}");
}

TEST(Places, OfWhatCannotBeReadAreThoseOfTheError) {
  EXPECT_EQ(written("{\"contents\":[\n  {]}"), (Strings{"json.invalid 2:4 "}));
  EXPECT_EQ(written(""), (Strings{"json.invalid 1:1 "}));
  EXPECT_EQ(written("{'a':x}"), (Strings{"json.invalid 1:6 "}));
}

TEST(Places, CountUtf16Units) {
  const std::string head = R"({"contents":[{"role":"user","parts":[{"text":")";
  const std::string text = head + std::string(kCodePoints) + "\"},\n{\"text\":\"" +
                           std::string(kCodePoints) + "\"},{}]}]}";
  const Findings bytes = located(text, TextUnit::kByte);
  const Findings units = located(text, TextUnit::kUtf16);
  ASSERT_EQ(bytes.size(), 1U);
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].begin, unitsBefore(text, bytes[0].begin));
  EXPECT_EQ(units[0].end, units[0].begin + 2);
  EXPECT_EQ(units[0].line, 2U);
  EXPECT_EQ(units[0].column, units[0].begin - unitsBefore(text, text.find('\n')));
}

TEST(Places, OfManyFindingsAreAllFound) {
  std::string text = R"({"contents":[{"role":"user","parts":[)";
  for (size_t i = 0; i < 5000; ++i) text += "{},\n";
  text += R"({"text":"a"}]}]})";
  const Findings found = located(text, TextUnit::kUtf16);
  ASSERT_EQ(found.size(), Findings::kMostPerGroup);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(text.substr(found[i].begin, found[i].end - found[i].begin), "{}");
    EXPECT_EQ(found[i].line, i + 1);
  }
}

}  // namespace
}  // namespace strata::lint
