#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "interactions/convert_body.h"
#include "interactions/step_view.h"
#include "interactions/to_contents.h"
#include "interactions/to_steps.h"
#include "support/random_steps.h"
#include "support/shared_files.h"

namespace strata::interactions {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using test::Json;
using test::RandomSteps;

// A sample; STRATA_HISTORIES asks for more.
uint32_t histories() {
  const char* given = std::getenv("STRATA_HISTORIES");
  return given == nullptr ? 2'000 / STRATA_SHARE
                          : static_cast<uint32_t>(std::strtoul(given, nullptr, 10));
}

// Returns whether a member says nothing: null, `thought: false`, an empty text, or empty arguments.
bool isUnset(json::Member member) {
  const bool isFalse = member.value.isBoolean() && !member.value.isTrue();
  const bool isEmpty = member.value.isObject() && member.value.size() == 0 &&
                       (member.key.equals("args") || member.key.equals("response"));
  const bool isNoText = member.value.equals("") && member.key.equals("text");
  return member.value.isNull() || isEmpty || isNoText || (isFalse && member.key.equals("thought"));
}

// The value without spaces, with its names in camelCase and in order.
std::string canonical(json::Value value) {
  if (value.isString()) return value.text() + "\n";
  std::vector<std::string> parts;
  for (const json::Member member : json::members(value)) {
    const bool isRole = member.key.equals("role");
    if (isUnset(member) || (isRole && !member.value.equals("model"))) continue;
    // A single Part is a list of one.
    const bool isSingle = member.key.equals("parts") && member.value.isObject();
    const std::string inner = canonical(member.value);
    parts.push_back(gemini::toCamelCase(member.key) + ":" + (isSingle ? "[" + inner + "," : inner));
  }
  std::sort(parts.begin(), parts.end());
  for (const json::Value each : json::elements(value)) parts.push_back(canonical(each));
  if (!value.isObject() && !value.isArray()) return std::string(value.bytes());
  std::string out(value.isObject() ? "{" : "[");
  for (const std::string& part : parts) out += part + ",";
  return out;
}

bool has(const Findings& findings, Rule rule) {
  return std::any_of(findings.begin(), findings.end(),
                     [rule](const Finding& finding) { return finding.rule == rule; });
}

std::string codesOf(const Findings& findings) {
  const test::Judge judge;
  std::string codes;
  for (const std::string& line : test::linesOf(findings, judge.target())) codes += line + "\n";
  return codes;
}

using Items = std::multiset<std::string>;

// What a history says, whichever wire it is for.
struct Said {
  Items texts;
  Items thoughts;
  Items calls;  // name and arguments
  Items ids;
  Items results;
  Items sites;  // of Contents: the items with their signatures
};

void addText(Items& items, json::Value text) {
  // A space stands for a turn that was empty.
  if (!text.text().empty() && !text.equals(" ")) items.insert(text.text());
}

std::string itemOf(json::Value name, json::Value payload) {
  return name.text() + (payload.isObject() ? canonical(payload) : "{");
}

void addId(Said& said, json::Value id) {
  if (!id.text().empty()) said.ids.insert(id.text());
}

Said saidByContents(json::Value contents) {
  Said said;
  gemini::ContentView view;
  for (const json::Value content : gemini::repeated(contents)) {
    view.read(content);
    for (const gemini::PartView& part : view.partViews) {
      if (part.isCall() || part.isResponse()) addId(said, part.id);
      if (part.isCall()) said.calls.insert(itemOf(part.name, part.payload));
      if (part.isResponse()) said.results.insert(part.name.text());
      const bool isText = part.kind == gemini::PartKind::kText;
      const bool isThought = view.isModel() && part.thought;
      if (isText) addText(isThought ? said.thoughts : said.texts, part.data);
      const bool hasItem = part.isCall() || (isText && !part.data.text().empty());
      if (!view.isModel() || !part.isSigned() || isThought || !hasItem) continue;
      const std::string item = isText ? part.data.text() : itemOf(part.name, part.payload);
      said.sites.insert(item + "\n" + part.signature.text());
    }
  }
  return said;
}

Said saidBySteps(json::Value steps) {
  Said said;
  for (const PlacedStep& step : placedSteps(steps)) {
    const StepView& view = step.view;
    if (view.isCall() || view.isResult()) addId(said, view.id);
    if (view.isCall()) said.calls.insert(itemOf(view.name, view.payload));
    if (view.isResult()) said.results.insert(view.name.text());
    if (view.isOfTool() || view.isCall() || view.isResult()) continue;
    for (const json::Value content : contentOf(view.content)) {
      addText(view.isThought() ? said.thoughts : said.texts, content.find("text"));
    }
  }
  return said;
}

// Returns whether a finding names what it leaves out or changes with one of these words.
bool names(const Findings& findings, std::string_view word) {
  return std::any_of(findings.begin(), findings.end(), [word](const Finding& finding) {
    return finding.arg1.find(word) != finding.arg1.npos;
  });
}

// All items stay, unless a finding names the kind that does not.
void expectSame(const Said& before, const Said& after, const Findings& findings) {
  EXPECT_EQ(before.texts, after.texts) << codesOf(findings);
  const auto expect = [&](const Items& one, const Items& other, std::string_view unless) {
    EXPECT_TRUE(one == other || names(findings, unless)) << testing::PrintToString(one) << "\n"
                                                         << testing::PrintToString(other) << "\n"
                                                         << codesOf(findings);
  };
  expect(before.thoughts, after.thoughts, "thought");
  expect(before.calls, after.calls, "arguments");
  expect(before.ids, after.ids, " id");
  EXPECT_EQ(before.results, after.results) << codesOf(findings);
}

// Returns the signatures, each once: thoughts may repeat that of an item.
std::set<std::string> signaturesIn(json::Value value) {
  std::set<std::string> found;
  for (const json::Member member : json::members(value)) {
    const std::string name = gemini::toCamelCase(member.key);
    const bool isSignature = name == "thoughtSignature" || name == "signature";
    if (isSignature && !member.value.text().empty()) found.insert(member.value.text());
    found.merge(signaturesIn(member.value));
  }
  for (const json::Value each : json::elements(value)) found.merge(signaturesIn(each));
  return found;
}

// Returns the errors of the other wire.
std::vector<std::string> errorsOf(const std::string& body) {
  const test::Judge judge("gemini-3.8-flash");
  std::vector<std::string> errors;
  for (const std::string& line : judge.lint(body)) {
    if (line.rfind("error ", 0) == 0) errors.push_back(line);
  }
  return errors;
}

std::string stepsBody(const std::string& steps) {
  return R"({"model":"gemini-3.8-flash","input":)" + steps + "}";
}

bool isAboutSignatures(const std::string& line) {
  return line.find(" thought.missing ") != std::string::npos ||
         line.find(" thought.unsigned ") != std::string::npos;
}

// Converts Contents there and back.
void checkContents(const std::string& text, bool isValid) {
  const Json contents(text);
  ASSERT_TRUE(contents.ok()) << text;
  const Converted there = stepsOf(contents.root());
  const Json steps(there.json);
  ASSERT_TRUE(steps.ok()) << there.json;
  const Converted back = contentsOf(steps.root());
  const Json again(back.json);
  ASSERT_TRUE(again.ok()) << back.json;
  if (there.findings.empty() && back.findings.empty()) {
    EXPECT_EQ(canonical(again.root()), canonical(contents.root())) << text << "\n" << there.json;
  }
  const Said before = saidByContents(contents.root());
  expectSame(before, saidBySteps(steps.root()), there.findings);
  if (!has(there.findings, Rule::kConvertLost)) {
    EXPECT_EQ(signaturesIn(contents.root()), signaturesIn(steps.root())) << text;
  }
  Findings all = there.findings;
  all.append(back.findings);
  const Said after = saidByContents(again.root());
  expectSame(before, after, all);
  if (!names(all, "ignature")) {
    EXPECT_EQ(before.sites, after.sites) << text << "\n" << there.json;
  }
  if (!isValid) return;
  EXPECT_EQ(errorsOf(R"({"contents":)" + back.json + "}"), std::vector<std::string>()) << text;
  for (const std::string& error : errorsOf(stepsBody(there.json))) {
    EXPECT_TRUE(isAboutSignatures(error) && has(there.findings, Rule::kConvertUnsigned))
        << error << text << "\n"
        << there.json;
  }
  const ConvertOptions placeholder{true};
  const std::vector<std::string> errors =
      errorsOf(stepsBody(stepsOf(contents.root(), placeholder).json));
  EXPECT_EQ(errors, std::vector<std::string>()) << text;
}

// Converts steps there and back.
void checkSteps(const std::string& text) {
  const Json steps(text);
  ASSERT_TRUE(steps.ok()) << text;
  ASSERT_EQ(errorsOf(stepsBody(text)), std::vector<std::string>()) << text;
  const Converted there = contentsOf(steps.root());
  const Json contents(there.json);
  ASSERT_TRUE(contents.ok()) << there.json;
  const Converted back = stepsOf(contents.root());
  const Json again(back.json);
  ASSERT_TRUE(again.ok()) << back.json;
  if (there.findings.empty() && back.findings.empty()) {
    EXPECT_EQ(canonical(again.root()), canonical(steps.root())) << text << "\n" << there.json;
  }
  const Said before = saidBySteps(steps.root());
  expectSame(before, saidByContents(contents.root()), there.findings);
  Findings all = there.findings;
  all.append(back.findings);
  expectSame(before, saidBySteps(again.root()), all);
  if (!has(there.findings, Rule::kConvertLost)) {
    EXPECT_EQ(signaturesIn(steps.root()), signaturesIn(contents.root())) << text;
  }
  EXPECT_EQ(errorsOf(stepsBody(back.json)), std::vector<std::string>()) << text;
  EXPECT_EQ(errorsOf(R"({"contents":)" + there.json + "}"), std::vector<std::string>()) << text;
}

TEST(ConversionProperties, ContentsStayTheSameThereAndBack) {
  const uint32_t count = histories();
  size_t same = 0;
  for (uint32_t seed = 0; seed < count; ++seed) {
    const bool odd = seed % 3 == 0;
    const std::string text = RandomSteps(seed, odd).contents();
    checkContents(text, true);
    const Json contents(text);
    if (stepsOf(contents.root()).findings.empty()) ++same;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(same, count / 2);
}

TEST(ConversionProperties, StepsStayTheSameThereAndBack) {
  const uint32_t count = histories();
  size_t same = 0;
  for (uint32_t seed = 0; seed < count; ++seed) {
    const std::string text = RandomSteps(seed, seed % 3 == 0).steps();
    checkSteps(text);
    const Json steps(text);
    if (contentsOf(steps.root()).findings.empty()) ++same;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(same, count / 2);
}

// Returns the recorded exchanges, one a line. They are compressed.
std::vector<std::string> recordedExchanges() {
  std::string text;
#ifndef __EMSCRIPTEN__
  const std::string command =
      "gzip -dc '" + test::sharedPath("traffic/exchanges.jsonl.gz") + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string buffer(1U << 16U, '\0');
  for (size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer, 0, size);
  }
  pclose(pipe);
#endif
  return test::linesIn(text);
}

TEST(ConversionProperties, RecordedHistoriesStayTheSameThereAndBack) {
  const std::vector<std::string> lines = recordedExchanges();
  if (lines.empty()) GTEST_SKIP() << test::missingFolder("traffic");
  size_t read = 0;
  for (const std::string& line : lines) {
    const Json exchange(line);
    if (exchange.root().find("status").integer(0) != 200) continue;
    const Json request(exchange.root().find("request").text());
    const json::Value contents = gemini::field(request.root(), "contents");
    if (!contents.isArray()) continue;
    // What generateContent itself refuses today is no standard for the other wire.
    const bool isValid = errorsOf(R"({"contents":)" + std::string(contents.bytes()) + "}").empty();
    checkContents(std::string(contents.bytes()), isValid);
    ++read;
    if (testing::Test::HasFailure()) FAIL() << exchange.root().find("id").text();
  }
  EXPECT_GT(read, 1'000U);
}

// A body that generateContent takes is one that the Interactions API takes.
TEST(ConversionProperties, RecordedRequestsPassOnTheOtherWire) {
  const std::vector<std::string> lines = recordedExchanges();
  if (lines.empty()) GTEST_SKIP() << test::missingFolder("traffic");
  const test::Judge judge("gemini-3.8-flash");
  size_t read = 0;
  for (const std::string& line : lines) {
    const Json exchange(line);
    if (exchange.root().find("status").integer(0) != 200) continue;
    const std::string text = exchange.root().find("request").text();
    const Json request(text);
    if (!gemini::field(request.root(), "contents") || !errorsOf(text).empty()) continue;
    const ConvertOptions options{true};
    const Converted there =
        interactionOf(request.root(), "gemini-3.8-flash", judge.target(), options);
    ASSERT_TRUE(Json(there.json).ok()) << there.json;
    ++read;
    if (has(there.findings, Rule::kConvertRefused)) continue;
    EXPECT_EQ(errorsOf(there.json), std::vector<std::string>()) << text << "\n" << there.json;
    if (testing::Test::HasFailure()) FAIL() << exchange.root().find("id").text();
  }
  EXPECT_GT(read, 1'000U);
}

}  // namespace
}  // namespace strata::interactions
