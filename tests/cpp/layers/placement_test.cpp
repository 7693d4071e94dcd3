// Tests where the dynamic Content is placed, and that the paths of diagnostics point into the body.
#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::callTurn;
using test::content;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::user;

const std::string kDynamic = user(R"({\"a\":1})");
const std::string kBadContent = R"({"role":"user","parts":[{"text":"x"}],"timestamp":1})";

class Placement : public test::Requests {
 protected:
  Placement() { useTexts("Be brief.", R"({"a":1})"); }

  std::vector<std::string> beforeTurn() {
    input_.dynamicBeforeTurn = true;
    return assemble().contents();
  }

  void expectPathsOfBadContents() {
    const AssembledRequest request = assemble();
    const std::vector<std::string> contents = request.contents();
    std::vector<std::string> expected;
    for (size_t i = 0; i < contents.size(); ++i) {
      if (contents[i] != kBadContent) continue;
      expected.push_back("error field.unknown /contents/" + std::to_string(i) + "/timestamp");
    }
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(request.lines(), expected);
  }
};

TEST_F(Placement, BeforeTheTriggerThatOpensATurn) {
  add({user("one"), model("two")});
  setInstruction("three");
  EXPECT_EQ(beforeTurn(),
            (std::vector<std::string>{user("one"), model("two"), kDynamic, user("three")}));
}

TEST_F(Placement, BeforeTheOpeningContentOfATurnInProgress) {
  add({user("one"), model("two"), user("three"), callTurn(), resultTurn()});
  EXPECT_EQ(beforeTurn(), (std::vector<std::string>{user("one"), model("two"), kDynamic,
                                                    user("three"), callTurn(), resultTurn()}));
  add({callTurn()});
  const std::string results = resultTurn();
  setTriggerContent(results);
  EXPECT_EQ(beforeTurn()[2], kDynamic);
}

TEST_F(Placement, NeverInsideAStep) {
  const std::string mixed = content("user", {text("also"), result()});
  add({user("one"), callTurn(), mixed});
  EXPECT_EQ(beforeTurn(), (std::vector<std::string>{kDynamic, user("one"), callTurn(), mixed}));
}

TEST_F(Placement, BeforeTheUserContentOfAResumedTurn) {
  add({user("one"), model("two"), user("three")});
  EXPECT_EQ(beforeTurn(),
            (std::vector<std::string>{user("one"), model("two"), kDynamic, user("three")}));
}

// The path of each diagnostic names the bad Content, wherever the other layers are placed.
TEST_F(Placement, PathsPointAtTheContentInTheBody) {
  add({kBadContent, model("two"), kBadContent, callTurn(), resultTurn(), model("x"), kBadContent,
       callTurn(), resultTurn()});
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

TEST_F(Placement, TheTriggersPathCountsAllContentsBeforeIt) {
  input_.staticAsUser = true;
  add({user("one"), model("two"), user("three"), model("four")});
  setTriggerContent(kBadContent);
  for (const bool before : {false, true}) {
    input_.dynamicBeforeTurn = before;
    EXPECT_EQ(assemble().lines(),
              std::vector<std::string>{"error field.unknown /contents/6/timestamp"});
  }
}

// lint reads the body and the thread reads its turns: both find the same errors at the same paths.
TEST_F(Placement, LintReportsTheSameErrorsForTheBody) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    thread_.rewind(0);
    add(test::RandomHistory(seed, true).contents(12));
    setInstruction("go");
    for (const bool before : {false, true}) {
      input_.dynamicBeforeTurn = before;
      buffer(seed % 2 == 0 ? -1 : 40);
      const AssembledRequest request = assemble();
      for (const std::string& line : judge_.lint(request.body)) {
        if (line.rfind("error", 0) != 0) continue;
        const std::vector<std::string> lines = request.lines();
        EXPECT_TRUE(std::find(lines.begin(), lines.end(), line) != lines.end())
            << seed << line << request.body << request.report.text();
      }
    }
  }
}

}  // namespace
}  // namespace strata::layers
