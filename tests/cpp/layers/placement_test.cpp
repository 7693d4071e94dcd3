#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::callTurn;
using test::content;
using test::Made;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::user;

const std::string kState = user(R"({\"a\":1})");
const std::string kBad = R"({"role":"user","parts":[{"text":"x"}],"timestamp":1})";

class Placement : public test::Requests {
 protected:
  Placement() { useTexts("Be brief.", R"({"a":1})"); }

  std::vector<std::string> beforeTurn() {
    input_.dynamicBeforeTurn = true;
    return make().contents();
  }

  void expectPathsOfBadContents() {
    const Made made = make();
    const std::vector<std::string> contents = made.contents();
    std::vector<std::string> expected;
    for (size_t i = 0; i < contents.size(); ++i) {
      if (contents[i] != kBad) continue;
      expected.push_back("error field.unknown /contents/" + std::to_string(i) + "/timestamp");
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(made.lines(), expected);
  }
};

TEST_F(Placement, BeforeTheTriggerThatOpensATurn) {
  add({user("one"), model("two")});
  ask("three");
  EXPECT_EQ(beforeTurn(),
            (std::vector<std::string>{user("one"), model("two"), kState, user("three")}));
}

TEST_F(Placement, BeforeTheOpeningContentOfATurnThatGoesOn) {
  add({user("one"), model("two"), user("three"), callTurn(), resultTurn()});
  EXPECT_EQ(beforeTurn(), (std::vector<std::string>{user("one"), model("two"), kState,
                                                    user("three"), callTurn(), resultTurn()}));
  add({callTurn()});
  const std::string results = resultTurn();
  give(results);
  EXPECT_EQ(beforeTurn()[2], kState);
}

TEST_F(Placement, NeverInsideAStep) {
  const std::string mixed = content("user", {text("also"), result()});
  add({user("one"), callTurn(), mixed});
  EXPECT_EQ(beforeTurn(), (std::vector<std::string>{kState, user("one"), callTurn(), mixed}));
}

TEST_F(Placement, AResumedTurnHasItBeforeItsWords) {
  add({user("one"), model("two"), user("three")});
  EXPECT_EQ(beforeTurn(),
            (std::vector<std::string>{user("one"), model("two"), kState, user("three")}));
}

// Each bad Content is found under its diagnostic's path, wherever the other layers stand.
TEST_F(Placement, PathsPointAtTheContentInTheBody) {
  add({kBad, model("two"), kBad, callTurn(), resultTurn(), model("x"), kBad, callTurn(),
       resultTurn()});
  for (const int choice : {0, 1, 2, 3, 4, 5, 6, 7}) {
    input_.staticAsUser = (choice & 1) != 0;
    input_.dynamicBeforeTurn = (choice & 2) != 0;
    input_.dynamicText = plain((choice & 4) != 0 ? "" : R"({"a":1})");
    for (const int64_t tokens : {-1, 30, 60}) {
      buffer(tokens);
      expectPathsOfBadContents();
    }
  }
}

TEST_F(Placement, TheTriggersPathCountsAllThatComesBeforeIt) {
  input_.staticAsUser = true;
  add({user("one"), model("two"), user("three"), model("four")});
  give(kBad);
  for (const bool before : {false, true}) {
    input_.dynamicBeforeTurn = before;
    EXPECT_EQ(make().lines(),
              std::vector<std::string>{"error field.unknown /contents/6/timestamp"});
  }
}

// lint reads the body, the thread its turns: they agree on what is wrong and where.
TEST_F(Placement, LintFindsTheSameInTheBody) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    thread_.rewind(0);
    add(test::RandomHistory(seed, true).contents(12));
    ask("go");
    for (const bool before : {false, true}) {
      input_.dynamicBeforeTurn = before;
      buffer(seed % 2 == 0 ? -1 : 40);
      const Made made = make();
      for (const std::string& line : judge_.lint(made.body)) {
        if (line.rfind("error", 0) != 0) continue;
        const std::vector<std::string> lines = made.lines();
        EXPECT_TRUE(std::find(lines.begin(), lines.end(), line) != lines.end())
            << seed << line << made.body << made.report.text();
      }
    }
  }
}

}  // namespace
}  // namespace strata::layers
