// Tests which Content becomes the trigger of a request, and how it is validated.
#include "layers/trigger.h"

#include "layers/requests.h"

namespace strata::layers {
namespace {

using test::AssembledRequest;
using test::call;
using test::callTurn;
using test::content;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::user;

class TriggerRule : public test::Requests {
 protected:
  // Returns the size of the trigger according to the manifest.
  static int64_t triggerBytes(const AssembledRequest& request) {
    return request.manifest().find("layers").at(3).find("bytes").integer(-1);
  }
};

TEST_F(TriggerRule, UsesTheNewInstruction) {
  add({user("one"), model("two")});
  setInstruction("three \"quoted\"\n");
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.contents().back(), user(R"(three \"quoted\"\n)"));
  EXPECT_EQ(triggerBytes(request), static_cast<int64_t>(request.contents().back().size()));
}

TEST_F(TriggerRule, UsesTheFunctionResponsesThatEndTheThread) {
  add({user("one"), callTurn(), resultTurn()});
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_EQ(request.contents(), (std::vector<std::string>{user("one"), callTurn(), resultTurn()}));
  EXPECT_EQ(triggerBytes(request), static_cast<int64_t>(resultTurn().size()));
  EXPECT_EQ(request.manifest().find("layers").at(2).find("tokens").integer(0), 20);
  EXPECT_EQ(request.manifest().find("layers").at(3).find("tokens").integer(0), 10);
}

TEST_F(TriggerRule, AcceptsFunctionResponsesFromTheCaller) {
  add({user("one"), callTurn()});
  const std::string results = " " + resultTurn();
  setTriggerContent(results);
  const AssembledRequest request = assemble();
  EXPECT_TRUE(request.ok);
  EXPECT_NE(request.body.find("," + results + "]}"), std::string::npos);
}

TEST_F(TriggerRule, ResumesAThreadThatEndsWithAUserContent) {
  add({user("one")});
  for (const char* instruction : {"", "  \n\t"}) {
    setInstruction(instruction);
    const AssembledRequest request = assemble();
    EXPECT_TRUE(request.ok);
    EXPECT_EQ(request.contents(), std::vector<std::string>{user("one")});
    EXPECT_EQ(triggerBytes(request), static_cast<int64_t>(user("one").size()));
  }
}

TEST_F(TriggerRule, SendsARepeatedUserContentOnce) {
  add({user("one"), model("two"), user("thr\\u0065e")});
  setInstruction("three");
  EXPECT_EQ(assemble().contents().size(), 3U);
  const std::string last = user("thr\\u0065e");
  setTriggerContent(last);
  EXPECT_EQ(assemble().contents().size(), 3U);
  setInstruction("other");
  EXPECT_EQ(assemble().contents().size(), 4U);
}

TEST_F(TriggerRule, DoesNotTreatModelTextAsARepetition) {
  add({user("one"), model("two")});
  setInstruction("two");
  EXPECT_EQ(assemble().contents().size(), 3U);
  thread_.rewind(0);
  add({content("user", {text("two"), text("more")})});
  EXPECT_EQ(assemble().contents().size(), 2U);
}

TEST_F(TriggerRule, ReportsAMissingTrigger) {
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"error trigger.missing /contents"});
  add({user("one"), model("two")});
  const AssembledRequest request = assemble();
  EXPECT_FALSE(request.ok);
  EXPECT_EQ(request.lines(), std::vector<std::string>{"error trigger.missing /contents"});
}

TEST_F(TriggerRule, ReportsAnInstructionAfterAnOpenCall) {
  add({user("one"), callTurn()});
  setInstruction("two");
  const AssembledRequest request = assemble();
  EXPECT_FALSE(request.ok);
  EXPECT_EQ(request.lines(), std::vector<std::string>{"error call.open /contents/1"});
}

TEST_F(TriggerRule, ValidatesTheTriggerAsTheNextTurn) {
  add({user("one"), content("model", {call("f", "1")})});
  const std::string mismatched = content("user", {result("g", "2")});
  setTriggerContent(mismatched);
  const AssembledRequest request = assemble();
  EXPECT_FALSE(request.ok);
  EXPECT_EQ(request.lines(),
            (std::vector<std::string>{"error response.id_mismatch /contents/2/parts/0",
                                      "error response.name_mismatch /contents/2/parts/0"}));
}

TEST_F(TriggerRule, ReportsAModelContentAsTheTrigger) {
  add({user("one")});
  const std::string prefill = model("I think");
  setTriggerContent(prefill);
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"error turn.ends_with_model /contents/1"});
}

TEST_F(TriggerRule, RejectsATriggerThatIsNotJsonWithItsPath) {
  setTriggerContent(R"({"role":"user","parts":[x]})");
  const AssembledRequest request = assemble();
  ASSERT_TRUE(request.failure && request.failure->error);
  EXPECT_EQ(request.failure->error->path, "/trigger/parts/0");
  setTriggerContent("7");
  EXPECT_EQ(assemble().lines(), std::vector<std::string>{"error field.invalid /contents/0"});
}

TEST_F(TriggerRule, ANewTurnEndsFindingsAboutTheOldTurn) {
  add({user("one"), content("model", {test::unsignedCall()}), resultTurn(), model("x")});
  EXPECT_FALSE(thread_.findings().empty());
  setInstruction("two");
  EXPECT_TRUE(assemble().ok);
  thread_.rewind(3);
  input_.triggerKind = TriggerKind::kNone;
  EXPECT_EQ(assemble().lines(),
            std::vector<std::string>{"error signature.missing /contents/1/parts/0"});
}

class StrictTrigger : public test::Requests {
 protected:
  StrictTrigger() : Requests("gemini-3.8-flash", true) {}
};

TEST_F(StrictTrigger, RejectsAnInstructionAfterAFunctionResponse) {
  add({user("one"), callTurn(), resultTurn()});
  setInstruction("two");
  const AssembledRequest request = assemble();
  EXPECT_FALSE(request.ok);
  EXPECT_EQ(request.lines(),
            std::vector<std::string>{"error response.not_followed_by_model /contents/3"});
}

TEST_F(StrictTrigger, IgnoresTheDynamicContentInSequencing) {
  useTexts("", R"({"a":1})");
  add({user("one"), callTurn(), resultTurn()});
  EXPECT_TRUE(assemble().ok);
  input_.dynamicBeforeTurn = true;
  EXPECT_TRUE(assemble().ok);
}

TEST_F(TriggerRule, RejectsAContentThatNestsTooDeepForARequest) {
  const auto nested = [](size_t depth) {
    const size_t inside =
        depth - 4;  // In the Content, its parts, the Part and its functionResponse.
    return R"({"role":"user","parts":[{"functionResponse":{"name":"f","response":)" +
           std::string(inside, '[') + std::string(inside, ']') + "}}]}";
  };
  const std::string deepest = nested(198);
  setTriggerContent(deepest);
  EXPECT_FALSE(assemble().failure);
  const std::string deep = nested(199);
  setTriggerContent(deep);
  const AssembledRequest request = assemble();
  ASSERT_TRUE(request.failure && request.failure->error);
  EXPECT_EQ(request.failure->error->code, "json.too_deep");
}

}  // namespace
}  // namespace strata::layers
