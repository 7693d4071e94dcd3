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

const std::string kTwo = content("model", {call("f", "1"), unsignedCall("g", "2")});
const std::string kLostG =
    R"({"functionResponse":{"id":"2","name":"g","response":{"error":"The result of this call was lost."}}})";

class OpenStep : public testing::Test {
 protected:
  Lines give(const std::string& bytes, const std::string& meta = "{}") {
    const Appended done = append(thread_, bytes, Policy::kRepair, meta);
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

TEST_F(OpenStep, WhatIsRightIsKeptToTheByte) {
  const std::string spaced = " " + user("a \\u00e9") + "\n";
  EXPECT_TRUE(give(spaced).empty());
  EXPECT_EQ(thread_.content(0), spaced);
}

TEST_F(OpenStep, AStreamedAnswerThatEndsInAnEmptyTextIsTakenOnVertex) {
  give(user());
  EXPECT_EQ(give(content("model", {call(), text("")}), R"({"tokens":5})"),
            Lines{"info text.empty /contents/1/parts/1"});
  EXPECT_EQ(contents(), (Lines{user(), callTurn()}));
  EXPECT_EQ(thread_.meta(1), R"({"tokens":5})");
  EXPECT_EQ(thread_.tokens(), user().size() + callTurn().size());
  give(resultTurn());
}

TEST_F(OpenStep, WhatCanNotBeMendedIsRefusedAndChangesNothing) {
  give(user());
  const std::string digest = test::hexDigest(thread_);
  const std::string bad = R"({"role":"assistant","parts":[{"functionCall":{"name":"f"}}]})";
  const Appended refused = append(thread_, bad, Policy::kRepair);
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(test::linesOf(refused.findings, judge_.target()).front(),
            "error role.invalid /contents/1/role");
  EXPECT_FALSE(append(thread_, R"({"role":"model","parts":[]})", Policy::kRepair).accepted);
  EXPECT_EQ(test::hexDigest(thread_), digest);
}

TEST_F(OpenStep, ResultsThatComeOneByOneAreJoined) {
  give(user());
  give(kTwo);
  EXPECT_EQ(give(content("user", {result("f", "1")})), Lines{"info response.count /contents/2"});
  EXPECT_EQ(thread_.content(2), content("user", {result("f", "1"), kLostG}));
  EXPECT_EQ(give(content("user", {result("g", "2")}), R"({"at":"now"})"),
            Lines{"info response.split /contents/3"});
  EXPECT_EQ(contents(),
            (Lines{user(), kTwo, content("user", {result("f", "1"), result("g", "2")})}));
  EXPECT_EQ(thread_.meta(2), R"({"at":"now"})");
}

TEST_F(OpenStep, TheUsersWordsCloseOpenCalls) {
  give(user());
  give(callTurn());
  EXPECT_EQ(give(user("never mind")).front(), "info call.open /contents/1");
  EXPECT_EQ(thread_.size(), 4U);
  EXPECT_EQ(thread_.content(3), user("never mind"));
}

TEST_F(OpenStep, UnderStrictSequencingTheUsersWordsStandBeforeTheLostResult) {
  thread_ = judge_.thread(true);
  give(user());
  give(callTurn());
  EXPECT_EQ(give(user("never mind")).front(), "info call.open /contents/1");
  const std::string lost =
      R"({"functionResponse":{"name":"f","response":{"error":"The result of this call was lost."}}})";
  EXPECT_EQ(contents(), (Lines{user(), callTurn(), content("user", {text("never mind"), lost})}));
  give(resultTurn());
  EXPECT_EQ(thread_.content(2), content("user", {text("never mind"), result()}));
  give(model());
  for (const std::string& line : test::linesOf(thread_.findings(), thread_.requestTarget())) {
    EXPECT_NE(line.rfind("error", 0), 0U) << line;
  }
}

TEST_F(OpenStep, UnderStrictSequencingWhatNoRequestCouldHoldIsRefused) {
  thread_ = judge_.thread(true);
  for (const std::string& each : {user(), callTurn(), resultTurn()}) give(each);
  const Appended refused = append(thread_, user("and"), Policy::kRepair);
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(test::linesOf(refused.findings, thread_.targetOf(Policy::kRepair)),
            Lines{"error response.not_followed_by_model /contents/3"});
  EXPECT_EQ(thread_.size(), 3U);
}

TEST_F(OpenStep, WhatWasSaidOfTurnsThatAreJoinedIsJoined) {
  give(user());
  give(model("so"), R"({"model":"gemini-3.8-flash","backend":"vertex","at":"1","tokens":5})");
  give(callTurn(), R"({"at":"2"})");
  EXPECT_EQ(thread_.meta(1), R"({"model":"gemini-3.8-flash","backend":"vertex","at":"2"})");
}

TEST_F(OpenStep, OneAnswerInSeveralContentsIsJoined) {
  give(user());
  give(model("so"), R"({"model":"a"})");
  EXPECT_EQ(give(callTurn(), R"({"model":"gemini-3.8-flash"})"),
            Lines{"info call.order /contents/2"});
  EXPECT_EQ(contents(), (Lines{user(), content("model", {text("so"), call()})}));
}

TEST_F(OpenStep, SealedTurnsAreNeverTouched) {
  for (const std::string& each : {user(), callTurn(), resultTurn(), model(), user()}) give(each);
  EXPECT_FALSE(append(thread_, resultTurn(), Policy::kRepair).accepted);
  EXPECT_EQ(thread_.size(), 5U);
}

TEST_F(OpenStep, MendsStayWithTheirTurnAndGoWithIt) {
  give(user());
  give(content("model", {text("a"), text("")}));
  const Lines told = {"info text.empty /contents/1/parts/1"};
  EXPECT_EQ(test::linesOf(thread_.findings(), judge_.target()), told);
  give(user());
  thread_.rewind(2);
  EXPECT_EQ(test::linesOf(thread_.findings(), judge_.target()), told);
  thread_.rewind(1);
  EXPECT_TRUE(thread_.findings().empty());
}

TEST_F(OpenStep, AForkKeepsWhatTheOtherMends) {
  give(user());
  give(kTwo);
  give(content("user", {result("f", "1")}));
  Thread fork = thread_;
  give(content("user", {result("g", "2")}));
  EXPECT_EQ(fork.content(2), content("user", {result("f", "1"), kLostG}));
  Thread loaded = judge_.thread();
  ASSERT_TRUE(loadSaved(loaded, save(thread_).join()));
  EXPECT_EQ(test::hexDigest(loaded), test::hexDigest(thread_));
}

}  // namespace
}  // namespace strata::thread
