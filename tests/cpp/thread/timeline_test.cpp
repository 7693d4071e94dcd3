// Tests the description of each turn of a thread.
#include "thread/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/contents.h"
#include "support/random_history.h"

namespace strata::thread {
namespace {

using test::append;
using test::call;
using test::callTurn;
using test::content;
using test::Json;
using test::Judge;
using test::model;
using test::result;
using test::resultTurn;
using test::unsignedCall;
using test::user;

class Timeline : public testing::Test {
 protected:
  // Reads the timeline of a thread with these Contents.
  const json::Value& of(const std::vector<std::string>& contents, TimelineOptions options = {}) {
    thread_.rewind(0);
    for (const std::string& each : contents) append(thread_, each);
    return read(options);
  }
  const json::Value& read(const TimelineOptions& options = {}) {
    json::Writer out;
    out.open('{');
    writeTimeline(out, thread_, options);
    document_.emplace(out.close('}').take());
    root_ = document_->root();
    turns_ = root_.find("turns");
    return turns_;
  }

  // Returns a member of each turn as JSON.
  std::vector<std::string> all(std::string_view name) const {
    std::vector<std::string> values;
    for (const json::Value turn : json::elements(turns_)) {
      values.emplace_back(turn.find(name).bytes());
    }
    return values;
  }

  Judge judge_;
  Thread thread_ = judge_.thread();
  std::optional<Json> document_;
  json::Value root_;
  json::Value turns_;
};

using Texts = std::vector<std::string>;

TEST_F(Timeline, OfAnEmptyThread) {
  EXPECT_EQ(of({}).bytes(), "[]");
  EXPECT_EQ(root_.bytes(), R"({"turns":[]})");
}

TEST_F(Timeline, SaysWhatATurnIs) {
  const std::string thought = R"({"text":"Hm","thought":true,"thoughtSignature":"QQ=="})";
  of({user("One"), content("model", {thought, test::text("A"), call("f", "7"), test::text("B")}),
      content("user", {result("f", "7")})});
  EXPECT_EQ(turns_.at(0).bytes(),
            R"({"index":0,"kind":"user","role":"user","tokens":40,"turn":0,"step":0,)"
            R"("isCurrentTurn":true,"canCutBefore":false,"verdict":"accepted","refusedBy":[],)"
            R"("parts":1,"thoughts":0,"signatures":0,"excerpt":"One","calls":[],"responses":[]})");
  EXPECT_EQ(turns_.at(1).find("calls").bytes(),
            R"([{"part":2,"id":"7","name":"f","args":{},"signed":true,)"
            R"("response":{"index":2,"part":0}}])");
  EXPECT_EQ(turns_.at(2).find("responses").bytes(),
            R"([{"part":0,"id":"7","name":"f","call":{"index":1,"part":2}}])");
  EXPECT_EQ(all("parts"), (Texts{"1", "4", "1"}));
  EXPECT_EQ(all("thoughts"), (Texts{"0", "1", "0"}));
  EXPECT_EQ(all("signatures"), (Texts{"0", "2", "0"}));
  EXPECT_EQ(all("excerpt"), (Texts{"\"One\"", "\"AB\"", "\"\""}));
  EXPECT_EQ(all("kind"), (Texts{"\"user\"", "\"model\"", "\"tool\""}));
  EXPECT_EQ(all("verdict"), (Texts{"\"accepted\"", "\"open\"", "\"accepted\""}));
  EXPECT_FALSE(root_.find("firstRefused"));
}

TEST_F(Timeline, CountsTurnsAndSteps) {
  of({user(), callTurn(), resultTurn(), callTurn(), resultTurn(), model(), user(), model()});
  EXPECT_EQ(all("turn"), (Texts{"0", "0", "0", "0", "0", "0", "1", "1"}));
  EXPECT_EQ(all("step"), (Texts{"0", "0", "0", "1", "1", "2", "0", "0"}));
  EXPECT_EQ(all("isCurrentTurn"),
            (Texts{"false", "false", "false", "false", "false", "false", "true", "true"}));
  EXPECT_EQ(all("canCutBefore"),
            (Texts{"false", "false", "false", "false", "false", "false", "true", "false"}));
}

TEST_F(Timeline, TokensAreTheCountOfTheMetadata) {
  thread_.rewind(0);
  append(thread_, user(), test::Policy::kWarn, R"({"tokens":7})");
  append(thread_, model());
  read();
  EXPECT_EQ(all("tokens"), (Texts{"7", std::to_string(model().size())}));
}

TEST_F(Timeline, AnExcerptEndsAfterACharacter) {
  std::string astral;
  for (int i = 0; i < 200; ++i) astral += "\xF0\x9F\x98\x80";
  const std::string expected = "\"" + astral.substr(0, 480) + "\"";
  of({user(astral), content("user", {test::text(astral.substr(0, 400)), test::text(astral)})});
  EXPECT_EQ(all("excerpt"), (Texts{expected, expected}));
}

TEST_F(Timeline, ErrorsOfATurnEndWithIt) {
  of({user(), content("model", {unsignedCall()}), resultTurn(), model(), user(), model(),
      R"({"role":"nobody","parts":[{"text":"a"}]})", model(), user()});
  const std::string missing = R"(["signature.missing"])";
  const std::string role = R"(["role.invalid"])";
  EXPECT_EQ(all("refusedBy"),
            (Texts{"[]", missing, missing, missing, "[]", "[]", role, role, role}));
  EXPECT_EQ(root_.find("firstRefused").bytes(), "1");
}

// The texts of all pairs, such as "1.0-2.1": the call and its response.
Texts pairsOf(json::Value turns) {
  Texts pairs;
  for (const json::Value turn : json::elements(turns)) {
    for (const json::Value each : json::elements(turn.find("calls"))) {
      const json::Value response = each.find("response");
      if (!response) continue;
      std::string pair(turn.find("index").bytes());
      pair.append(".").append(each.find("part").bytes()).append("-");
      pair.append(response.find("index").bytes()).append(".");
      pairs.push_back(pair.append(response.find("part").bytes()));
    }
  }
  return pairs;
}

TEST_F(Timeline, PairsByIdThenByName) {
  const std::string calls = content("model", {call("f", "1"), call("f", "2"), call("g")});
  const std::string results = content("user", {result("g"), result("f", "2"), result("f", "1")});
  EXPECT_EQ(pairsOf(of({user(), calls, results})), (Texts{"1.0-2.2", "1.1-2.1", "1.2-2.0"}));
}

TEST_F(Timeline, PairsNoCallsOfOtherSteps) {
  of({user(), callTurn(), resultTurn(), callTurn(), user(), resultTurn()});
  EXPECT_EQ(pairsOf(turns_), (Texts{"1.0-2.0"}));
  EXPECT_FALSE(turns_.at(5).find("responses").at(0).find("call"));
}

TEST_F(Timeline, PairsResponsesInSeveralContents) {
  const std::string calls = content("model", {call("f"), call("g")});
  of({user(), calls, content("user", {result("g")}), content("user", {result("f")}), model()});
  EXPECT_EQ(pairsOf(turns_), (Texts{"1.0-3.0", "1.1-2.0"}));
}

TEST_F(Timeline, PairsGooglesOwnCallsInTheModelsContents) {
  const std::string own = content("model", {call("f", "1"), call("g", "2"), result("f", "1")});
  of({user(), own, content("user", {result("g", "2")}), model()});
  EXPECT_EQ(pairsOf(turns_), (Texts{"1.0-1.2", "1.1-2.0"}));
  // Another name or id is no answer there.
  of({user(), content("model", {call("f", "1"), result("f", "3")})});
  EXPECT_EQ(pairsOf(turns_), Texts());
}

TEST_F(Timeline, StartsAtATurnAsTheWholeOneContinues) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const std::vector<std::string> contents = test::RandomHistory(seed, true).contents(12);
    const std::vector<std::string> whole = [&] {
      of(contents);
      Texts turns;
      for (const json::Value turn : json::elements(turns_)) turns.emplace_back(turn.bytes());
      return turns;
    }();
    const std::string firstRefused(root_.find("firstRefused").bytes());
    for (size_t from = 0; from <= 13; ++from) {
      read({.from = from});
      Texts rest;
      for (const json::Value turn : json::elements(turns_)) rest.emplace_back(turn.bytes());
      const size_t skipped = std::min<size_t>(from, whole.size());
      ASSERT_EQ(rest, Texts(whole.begin() + static_cast<ptrdiff_t>(skipped), whole.end()));
      ASSERT_EQ(root_.find("firstRefused").bytes(), firstRefused);
    }
  }
}

TEST_F(Timeline, HasTheContentsAndRangesThatAreAskedFor) {
  const std::vector<std::string> contents = {user("a"), model("b")};
  const std::vector<json::TextRange> ranges = {{1, 5}, {6, 9}};
  of(contents, {.content = true, .ranges = ranges});
  EXPECT_EQ(all("content"), contents);
  EXPECT_EQ(all("range"), (Texts{"[1,5]", "[6,9]"}));
}

// Returns whether lint refuses these Contents for more than the model's answer that they lack.
bool isRefused(const Judge& judge, const std::vector<std::string>& contents) {
  lint::LintContext context = judge.context();
  context.isTail = true;
  const catalogue::Findings findings = lint::lintRequest(test::bodyOf(contents), context);
  return std::any_of(findings.begin(), findings.end(), [&](const catalogue::Finding& finding) {
    return judge.target().severity(finding) == catalogue::Severity::kError;
  });
}

TEST_F(Timeline, AgreesWithLintAboutEveryPrefix) {
  size_t refused = 0;
  size_t others = 0;
  for (const char* name : {"gemini-2.5-pro", "gemini-3.1-pro", "gemini-3.8-flash"}) {
    const Judge judge(name);
    thread_ = judge.thread();
    // What lint knows without tools.
    thread_.setServerCalls(false);
    for (uint32_t seed = 0; seed < 60; ++seed) {
      const std::vector<std::string> contents = test::RandomHistory(seed, true).contents(10);
      of(contents);
      for (size_t i = 0; i < contents.size(); ++i) {
        const Texts prefix(contents.begin(), contents.begin() + static_cast<ptrdiff_t>(i) + 1);
        const bool expected = isRefused(judge, prefix);
        ASSERT_EQ(turns_.at(i).find("verdict").equals("refused"), expected)
            << test::bodyOf(prefix) << turns_.at(i).bytes();
        (expected ? refused : others) += 1;
      }
    }
  }
  EXPECT_GT(refused, 200U);
  EXPECT_GT(others, 200U);
}

}  // namespace
}  // namespace strata::thread
