#include "layers/trigger.h"

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::call;
using test::callTurn;
using test::content;
using test::Made;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::user;

class TriggerRule : public test::Requests {
 protected:
  // The bytes that the manifest calls the trigger.
  static int64_t triggerBytes(const Made& made) {
    return made.manifest().find("layers").at(3).find("bytes").integer(-1);
  }
};

TEST_F(TriggerRule, CaseAIsTheNewInstruction) {
  add({user("one"), model("two")});
  ask("three \"quoted\"\n");
  const Made made = make();
  EXPECT_TRUE(made.ok);
  EXPECT_EQ(made.contents().back(), user(R"(three \"quoted\"\n)"));
  EXPECT_EQ(triggerBytes(made), static_cast<int64_t>(made.contents().back().size()));
}

TEST_F(TriggerRule, CaseBIsTheResultsThatEndTheThread) {
  add({user("one"), callTurn(), resultTurn()});
  const Made made = make();
  EXPECT_TRUE(made.ok);
  EXPECT_EQ(made.contents(), (std::vector<std::string>{user("one"), callTurn(), resultTurn()}));
  EXPECT_EQ(triggerBytes(made), static_cast<int64_t>(resultTurn().size()));
  EXPECT_EQ(made.manifest().find("layers").at(2).find("tokens").integer(0), 20);
  EXPECT_EQ(made.manifest().find("layers").at(3).find("tokens").integer(0), 10);
}

TEST_F(TriggerRule, ResultsCanBeGivenAsTheTrigger) {
  add({user("one"), callTurn()});
  const std::string results = " " + resultTurn();
  give(results);
  const Made made = make();
  EXPECT_TRUE(made.ok);
  EXPECT_NE(made.body.find("," + results + "]}"), std::string::npos);
}

TEST_F(TriggerRule, AThreadThatEndsInTheUsersWordsIsResumed) {
  add({user("one")});
  for (const char* instruction : {"", "  \n\t"}) {
    ask(instruction);
    const Made made = make();
    EXPECT_TRUE(made.ok);
    EXPECT_EQ(made.contents(), std::vector<std::string>{user("one")});
    EXPECT_EQ(triggerBytes(made), static_cast<int64_t>(user("one").size()));
  }
}

TEST_F(TriggerRule, TheSameWordsAreSentOnce) {
  add({user("one"), model("two"), user("thr\\u0065e")});
  ask("three");
  EXPECT_EQ(make().contents().size(), 3U);
  const std::string last = user("thr\\u0065e");
  give(last);
  EXPECT_EQ(make().contents().size(), 3U);
  ask("other");
  EXPECT_EQ(make().contents().size(), 4U);
}

TEST_F(TriggerRule, WordsThatAModelSaidAreNoRepetition) {
  add({user("one"), model("two")});
  ask("two");
  EXPECT_EQ(make().contents().size(), 3U);
  thread_.rewind(0);
  add({content("user", {text("two"), text("more")})});
  EXPECT_EQ(make().contents().size(), 2U);
}

TEST_F(TriggerRule, NothingToAnswerIsAnError) {
  EXPECT_EQ(make().lines(), std::vector<std::string>{"error trigger.missing /contents"});
  add({user("one"), model("two")});
  const Made made = make();
  EXPECT_FALSE(made.ok);
  EXPECT_EQ(made.lines(), std::vector<std::string>{"error trigger.missing /contents"});
}

TEST_F(TriggerRule, AnOpenCallNeedsItsResults) {
  add({user("one"), callTurn()});
  ask("two");
  const Made made = make();
  EXPECT_FALSE(made.ok);
  EXPECT_EQ(made.lines(), std::vector<std::string>{"error call.open /contents/1"});
}

TEST_F(TriggerRule, TheTriggerIsJudgedAsTheNextTurn) {
  add({user("one"), content("model", {call("f", "1")})});
  const std::string wrong = content("user", {result("g", "2")});
  give(wrong);
  const Made made = make();
  EXPECT_FALSE(made.ok);
  EXPECT_EQ(made.lines(),
            (std::vector<std::string>{"error response.id_mismatch /contents/2/parts/0",
                                      "error response.name_mismatch /contents/2/parts/0"}));
}

TEST_F(TriggerRule, AModelsContentAsksNothing) {
  add({user("one")});
  const std::string prefill = model("I think");
  give(prefill);
  EXPECT_EQ(make().lines(), std::vector<std::string>{"error turn.ends_with_model /contents/1"});
}

TEST_F(TriggerRule, ATriggerThatCannotBeReadSaysWhere) {
  give(R"({"role":"user","parts":[x]})");
  const Made made = make();
  ASSERT_TRUE(made.failure && made.failure->error);
  EXPECT_EQ(made.failure->error->path, "/trigger/parts/0");
  give("7");
  EXPECT_EQ(make().lines(), std::vector<std::string>{"error field.invalid /contents/0"});
}

TEST_F(TriggerRule, ItOpensANewTurnForOldFindings) {
  add({user("one"), content("model", {test::unsignedCall()}), resultTurn(), model("x")});
  EXPECT_FALSE(thread_.findings().empty());
  ask("two");
  EXPECT_TRUE(make().ok);
  thread_.rewind(3);
  input_.triggerKind = TriggerKind::kNone;
  EXPECT_EQ(make().lines(),
            std::vector<std::string>{"error signature.missing /contents/1/parts/0"});
}

class StrictTrigger : public test::Requests {
 protected:
  StrictTrigger() : Requests("gemini-3.8-flash", true) {}
};

TEST_F(StrictTrigger, WordsBehindAResultAreRefused) {
  add({user("one"), callTurn(), resultTurn()});
  ask("two");
  const Made made = make();
  EXPECT_FALSE(made.ok);
  EXPECT_EQ(made.lines(),
            std::vector<std::string>{"error response.not_followed_by_model /contents/3"});
}

TEST_F(StrictTrigger, TheDynamicContentStandsOutsideTheRules) {
  useTexts("", R"({"a":1})");
  add({user("one"), callTurn(), resultTurn()});
  EXPECT_TRUE(make().ok);
  input_.dynamicBeforeTurn = true;
  EXPECT_TRUE(make().ok);
}

}  // namespace
}  // namespace strata::layers
