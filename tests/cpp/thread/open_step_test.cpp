#include "thread/open_step.h"

#include <gtest/gtest.h>

#include "support/contents.h"
#include "thread/saved_form.h"

namespace strata::thread {
namespace {

using test::append;
using test::call;
using test::callTurn;
using test::content;
using test::Judge;
using test::model;
using test::Policy;
using test::result;
using test::resultTurn;
using test::text;
using test::unsignedCall;
using test::user;
using Lines = std::vector<std::string>;

const std::string kTwoCalls = content("model", {call("f", "1"), unsignedCall("g", "2")});
const std::string kLostResponseG =
    R"({"functionResponse":{"id":"2","name":"g","response":{"error":"The result of this call was lost."}}})";

class OpenStep : public testing::Test {
 protected:
  Lines appendRepaired(const std::string& bytes, const std::string& meta = "{}") {
    const AppendResult done = append(thread_, bytes, Policy::kRepair, meta);
    EXPECT_TRUE(done.accepted) << bytes;
    return test::linesOf(done.findings, judge_.target());
  }
  Lines contents() const {
    Lines all;
    for (size_t i = 0; i < thread_.size(); ++i) all.emplace_back(thread_.content(i));
    return all;
  }

  Judge judge_{"gemini-3.8-flash", gemini::Backend::kVertex};
  Thread thread_ = judge_.thread();
};

TEST_F(OpenStep, KeepsAValidContentByteForByte) {
  const std::string spaced = " " + user("a \\u00e9") + "\n";
  EXPECT_TRUE(appendRepaired(spaced).empty());
  EXPECT_EQ(thread_.content(0), spaced);
}

TEST_F(OpenStep, DropsATrailingEmptyTextOnVertex) {
  appendRepaired(user());
  EXPECT_EQ(appendRepaired(content("model", {call(), text("")}), R"({"tokens":5})"),
            Lines{"info text.empty /contents/1/parts/1"});
  EXPECT_EQ(contents(), (Lines{user(), callTurn()}));
  EXPECT_EQ(thread_.meta(1), R"({"tokens":5})");
  EXPECT_EQ(thread_.tokens(), user().size() + 5);
  appendRepaired(resultTurn());
}

TEST_F(OpenStep, KeepsTheCountsOfTurnsThatASavedThreadHas) {
  appendRepaired(user());
  appendRepaired(kTwoCalls, R"({"tokens":50})");
  appendRepaired(content("user", {result("f", "1")}), R"({"tokens":7})");
  appendRepaired(content("user", {result("g", "2")}));
  EXPECT_EQ(thread_.meta(1), R"({"tokens":50})");
  EXPECT_EQ(thread_.tokens(), user().size() + 50 + thread_.content(2).size());
  Thread loaded = judge_.thread();
  ASSERT_TRUE(loadSaved(loaded, save(thread_).join()));
  EXPECT_EQ(loaded.tokens(), thread_.tokens());
}

TEST_F(OpenStep, RejectsWhatCannotBeRepairedAndChangesNothing) {
  appendRepaired(user());
  const std::string digest = test::hexDigest(thread_);
  const std::string bad = R"({"role":"assistant","parts":[{"functionCall":{"name":"f"}}]})";
  const AppendResult refused = append(thread_, bad, Policy::kRepair);
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(test::linesOf(refused.findings, judge_.target()).front(),
            "error role.invalid /contents/1/role");
  EXPECT_FALSE(append(thread_, R"({"role":"model","parts":[]})", Policy::kRepair).accepted);
  EXPECT_EQ(test::hexDigest(thread_), digest);
}

TEST_F(OpenStep, MergesResultsThatArriveOneByOne) {
  appendRepaired(user());
  appendRepaired(kTwoCalls);
  EXPECT_EQ(appendRepaired(content("user", {result("f", "1")})),
            Lines{"info response.count /contents/2"});
  EXPECT_EQ(thread_.content(2), content("user", {result("f", "1"), kLostResponseG}));
  EXPECT_EQ(appendRepaired(content("user", {result("g", "2")}), R"({"at":"now"})"),
            Lines{"info response.split /contents/3"});
  EXPECT_EQ(contents(),
            (Lines{user(), kTwoCalls, content("user", {result("f", "1"), result("g", "2")})}));
  EXPECT_EQ(thread_.meta(2), R"({"at":"now"})");
}

TEST_F(OpenStep, UserTextClosesOpenCalls) {
  appendRepaired(user());
  appendRepaired(callTurn());
  EXPECT_EQ(appendRepaired(user("never mind")).front(), "info call.open /contents/1");
  EXPECT_EQ(thread_.size(), 4U);
  EXPECT_EQ(thread_.content(3), user("never mind"));
}

TEST_F(OpenStep, StrictSequencingPutsUserTextBeforeTheLostResult) {
  thread_ = judge_.thread(true);
  appendRepaired(user());
  appendRepaired(callTurn());
  EXPECT_EQ(appendRepaired(user("never mind")).front(), "info call.open /contents/1");
  const std::string lost =
      R"({"functionResponse":{"name":"f","response":{"error":"The result of this call was lost."}}})";
  EXPECT_EQ(contents(), (Lines{user(), callTurn(), content("user", {text("never mind"), lost})}));
  appendRepaired(resultTurn());
  EXPECT_EQ(thread_.content(2), content("user", {text("never mind"), result()}));
  appendRepaired(model());
  for (const std::string& line : test::linesOf(thread_.findings(), thread_.requestTarget())) {
    EXPECT_NE(line.rfind("error", 0), 0U) << line;
  }
}

TEST_F(OpenStep, StrictSequencingRejectsUserTextAfterResults) {
  thread_ = judge_.thread(true);
  for (const std::string& each : {user(), callTurn(), resultTurn()}) appendRepaired(each);
  const AppendResult refused = append(thread_, user("and"), Policy::kRepair);
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(test::linesOf(refused.findings, thread_.targetOf(Policy::kRepair)),
            Lines{"error response.not_followed_by_model /contents/3"});
  EXPECT_EQ(thread_.size(), 3U);
}

TEST_F(OpenStep, MergesTheMetadataOfMergedTurns) {
  appendRepaired(user());
  appendRepaired(model("so"),
                 R"({"model":"gemini-3.8-flash","backend":"vertex","at":"1","tokens":5})");
  appendRepaired(callTurn(), R"({"at":"2"})");
  EXPECT_EQ(thread_.meta(1), R"({"model":"gemini-3.8-flash","backend":"vertex","at":"2"})");
}

TEST_F(OpenStep, MergesOneAnswerInSeveralContents) {
  appendRepaired(user());
  appendRepaired(model("so"), R"({"model":"a"})");
  EXPECT_EQ(appendRepaired(callTurn(), R"({"model":"gemini-3.8-flash"})"),
            Lines{"info call.order /contents/2"});
  EXPECT_EQ(contents(), (Lines{user(), content("model", {text("so"), call()})}));
}

TEST_F(OpenStep, DoesNotChangeSealedTurns) {
  for (const std::string& each : {user(), callTurn(), resultTurn(), model(), user()})
    appendRepaired(each);
  EXPECT_FALSE(append(thread_, resultTurn(), Policy::kRepair).accepted);
  EXPECT_EQ(thread_.size(), 5U);
}

TEST_F(OpenStep, LeavesOpenCallsBeforeItAsTheyAre) {
  append(thread_, user());
  append(thread_, callTurn());
  append(thread_, callTurn());
  const Lines before = contents();
  append(thread_, R"({"role":"tool","parts":[{"text":"a"}]})", Policy::kRepair);
  EXPECT_EQ(thread_.content(1), before[1]);
}

TEST_F(OpenStep, RewindDropsTheRepairsOfItsTurns) {
  appendRepaired(user());
  appendRepaired(content("model", {text("a"), text("")}));
  const Lines reported = {"info text.empty /contents/1/parts/1"};
  EXPECT_EQ(test::linesOf(thread_.findings(), judge_.target()), reported);
  appendRepaired(user());
  thread_.rewind(2);
  EXPECT_EQ(test::linesOf(thread_.findings(), judge_.target()), reported);
  thread_.rewind(1);
  EXPECT_TRUE(thread_.findings().empty());
}

TEST_F(OpenStep, ARepairDoesNotChangeAFork) {
  appendRepaired(user());
  appendRepaired(kTwoCalls);
  appendRepaired(content("user", {result("f", "1")}));
  Thread fork = thread_;
  appendRepaired(content("user", {result("g", "2")}));
  EXPECT_EQ(fork.content(2), content("user", {result("f", "1"), kLostResponseG}));
  Thread loaded = judge_.thread();
  ASSERT_TRUE(loadSaved(loaded, save(thread_).join()));
  EXPECT_EQ(test::hexDigest(loaded), test::hexDigest(thread_));
}

}  // namespace
}  // namespace strata::thread
