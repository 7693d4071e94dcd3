#include "thread/thread.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::thread {
namespace {

using test::append;
using test::call;
using test::callTurn;
using test::content;
using test::Judge;
using test::model;
using test::result;
using test::resultTurn;
using test::text;
using test::unsignedCall;
using test::user;

std::vector<std::string> lines(const Thread& thread) {
  return test::linesOf(thread.findings(), thread.requestTarget());
}

TEST(Thread, KeepsTheBytesOfEveryTurn) {
  const Judge judge;
  Thread thread = judge.thread();
  const std::string odd =
      "  {\"parts\" : [ {\"text\":\"\\u0041\", \"x\":1.0} ],\n \"role\":\"user\"} ";
  append(thread, odd);
  append(thread, model());
  append(thread, user("third"));
  ASSERT_EQ(thread.size(), 3U);
  EXPECT_EQ(thread.content(0), odd);
  EXPECT_EQ(thread.content(1), model());
  EXPECT_EQ(thread.contents(0, 3), odd + "," + model() + "," + user("third"));
  EXPECT_EQ(thread.contents(1, 2), model());
  EXPECT_EQ(thread.contents(2, 2), "");
}

TEST(Thread, ReportsTheKindOfEveryTurn) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const std::string& each :
       {user(), callTurn(), resultTurn(), content("user", {text("a"), result()})}) {
    append(thread, each);
  }
  EXPECT_EQ(kindName(thread.checkpointAfter(1).kind), "user");
  EXPECT_EQ(kindName(thread.checkpointAfter(2).kind), "model");
  EXPECT_EQ(kindName(thread.checkpointAfter(3).kind), "tool");
  EXPECT_EQ(kindName(thread.checkpointAfter(4).kind), "user");
}

// The tools of its requests are not known yet; Google may have run the call itself.
TEST(Thread, TakesResultsOfServerSideCalls) {
  const Judge judge("gemini-2.5-flash");
  Thread thread = judge.thread();
  append(thread, user());
  const std::string whole = content("model", {call(), result(), text("a")});
  EXPECT_TRUE(append(thread, whole, test::Policy::kReject).accepted);
}

// Vertex AI sends empty texts that it refuses to take back.
TEST(Thread, TakesAnAnswerAsTheApiSentIt) {
  const Judge judge("gemini-3.8-flash", gemini::Backend::kVertex);
  const std::string answer = content("model", {text("a"), text("")});
  Thread kept = judge.thread();
  append(kept, user());
  EXPECT_TRUE(append(kept, answer, test::Policy::kReject).accepted);
  EXPECT_EQ(kept.content(1), answer);
  EXPECT_EQ(lines(kept), std::vector<std::string>{"error text.empty /contents/1/parts/1"});
  EXPECT_FALSE(append(kept, user(""), test::Policy::kReject).accepted);
  EXPECT_FALSE(append(kept, model(""), test::Policy::kReject).accepted);
  Thread repaired = judge.thread();
  append(repaired, user());
  EXPECT_TRUE(append(repaired, answer, test::Policy::kRepair).accepted);
  EXPECT_EQ(repaired.content(1), model("a"));
}

// A conversation requests such an answer again, before it runs a tool: with it, the API would
// refuse each later request.
TEST(Thread, RefusesAnAnswerWhoseParallelCallsHaveOneId) {
  const std::string answer = content("model", {call("f", "1"), unsignedCall("g", "1")});
  const auto isAccepted = [&](const char* model, test::Policy policy) {
    const Judge judge(model);
    Thread thread = judge.thread();
    append(thread, user());
    return append(thread, answer, policy).accepted;
  };
  EXPECT_FALSE(isAccepted("gemini-3.8-flash", test::Policy::kReject));
  EXPECT_FALSE(isAccepted("gemini-3.8-flash", test::Policy::kRepair));
  EXPECT_TRUE(isAccepted("gemini-3.1-pro-preview", test::Policy::kReject));
}

TEST(Thread, MovesTheMediaOfAResultForGemini25) {
  const Judge judge("gemini-2.5-flash");
  Thread thread = judge.thread();
  append(thread, user());
  append(thread, callTurn());
  const std::string media = R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}})";
  std::string withMedia = resultTurn();
  withMedia.insert(withMedia.size() - 4, R"(,"parts":[)" + media + "]");
  EXPECT_FALSE(append(thread, withMedia, test::Policy::kReject).accepted);
  EXPECT_TRUE(append(thread, withMedia, test::Policy::kRepair).accepted);
  ASSERT_EQ(thread.size(), 4U);
  EXPECT_EQ(thread.content(2), resultTurn());
  EXPECT_EQ(thread.content(3), content("user", {media}));
  for (const std::string& line : lines(thread)) EXPECT_EQ(line.rfind("info ", 0), 0U) << line;
}

// vertesia/llumiverse#462: a shortened result of a tool.
TEST(Thread, RepairsALoneSurrogate) {
  const Judge judge("gemini-3.8-flash", gemini::Backend::kVertex);
  Thread thread = judge.thread();
  append(thread, user());
  append(thread, callTurn());
  const std::string cut = R"({"functionResponse":{"name":"f","response":{"a":"b\ud83d"}}})";
  EXPECT_FALSE(append(thread, content("user", {cut}), test::Policy::kReject).accepted);
  EXPECT_TRUE(append(thread, content("user", {cut}), test::Policy::kRepair).accepted);
  EXPECT_EQ(thread.content(2),
            content("user", {R"({"functionResponse":{"name":"f","response":{"a":"b\ufffd"}}})"}));
}

TEST(Thread, RejectsAnInvalidContentAndStaysUnchanged) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, user(), test::Policy::kReject);
  const std::string digest = test::hexDigest(thread);
  const AppendResult rejected =
      append(thread, content("model", {unsignedCall()}), test::Policy::kReject);
  EXPECT_FALSE(rejected.accepted);
  EXPECT_EQ(test::linesOf(rejected.findings, judge.target()),
            std::vector<std::string>{"error signature.missing /contents/1/parts/0"});
  EXPECT_EQ(thread.size(), 1U);
  EXPECT_EQ(test::hexDigest(thread), digest);
  EXPECT_TRUE(lines(thread).empty());
  EXPECT_TRUE(append(thread, callTurn(), test::Policy::kReject).accepted);
}

TEST(Thread, AppendsAnInvalidContentUnderWarn) {
  const Judge judge;
  Thread thread = judge.thread();
  const AppendResult added = append(thread, content("model", {unsignedCall()}));
  EXPECT_TRUE(added.accepted);
  EXPECT_EQ(thread.size(), 1U);
  EXPECT_FALSE(lines(thread).empty());
}

TEST(Thread, AcceptsAnOpenCall) {
  const Judge judge;
  Thread thread = judge.thread(true);
  append(thread, user(), test::Policy::kReject);
  EXPECT_TRUE(append(thread, callTurn(), test::Policy::kReject).accepted);
}

TEST(Thread, CountsGivenOrEstimatedTokens) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, user(), test::Policy::kWarn, R"({"tokens":7})");
  EXPECT_EQ(thread.tokens(), 7U);
  append(thread, model(), test::Policy::kWarn, R"({"tokens":-1})");
  EXPECT_EQ(thread.tokens(), 7U + model().size());
  append(thread, user(), test::Policy::kWarn, R"({"tokens":99999999999})");
  EXPECT_EQ(thread.tokens(), 7U + model().size() + user().size());
  EXPECT_EQ(thread.meta(0), R"({"tokens":7})");
}

TEST(Thread, ReadsTheOriginOfSignaturesFromMeta) {
  const Judge judge("gemini-3.8-flash");
  Thread thread = judge.thread();
  append(thread, user());
  const AppendResult foreign =
      append(thread, callTurn(), test::Policy::kReject, R"({"model":"claude-opus"})");
  EXPECT_FALSE(foreign.accepted);
  EXPECT_TRUE(append(thread, callTurn(), test::Policy::kReject,
                     R"({"model":"gemini-3.8-flash","backend":"gemini"})")
                  .accepted);
}

TEST(ThreadFindings, WithTurnScopeAreDroppedWhenTheNextTurnOpens) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const std::string& each : {user(), content("model", {unsignedCall()}), resultTurn()}) {
    append(thread, each);
  }
  const std::vector<std::string> missing = {"error signature.missing /contents/1/parts/0"};
  EXPECT_EQ(lines(thread), missing);
  append(thread, model());
  EXPECT_EQ(lines(thread), missing);
  append(thread, user());
  EXPECT_TRUE(lines(thread).empty());
  thread.rewind(4);
  EXPECT_EQ(lines(thread), missing);
}

TEST(ThreadFindings, WithContentScopeRemain) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, R"({"role":"user","parts":[{"text":"a"}],"timestamp":1})");
  for (const std::string& each : {model(), user(), model(), user()}) append(thread, each);
  EXPECT_EQ(lines(thread), std::vector<std::string>{"error field.unknown /contents/0/timestamp"});
  thread.rewind(0);
  EXPECT_TRUE(lines(thread).empty());
}

TEST(ThreadFindings, AreBoundedInOneTurnAndInAll) {
  const Judge judge;
  Thread thread = judge.thread();
  const std::string many = content("user", std::vector<std::string>(500, "{}"));
  const AppendResult rejected = append(thread, many, test::Policy::kReject);
  EXPECT_FALSE(rejected.accepted);
  EXPECT_EQ(rejected.findings.size(), catalogue::Findings::kMostPerGroup);
  EXPECT_EQ(rejected.findings.back().more, 400U);
  append(thread, many);
  append(thread, model());
  append(thread, many);
  const catalogue::Findings all = thread.findings();
  EXPECT_EQ(all.size(), catalogue::Findings::kMostPerGroup);
  EXPECT_EQ(all.back().more, 900U);
  const lint::SequenceState& state = thread.checkpointAfter(3).state;
  EXPECT_EQ(thread.findings(state, 2).front().content, 2);
  thread.rewind(1);
  EXPECT_EQ(thread.findings().back().more, 400U);
}

TEST(ThreadFindings, StrictSequencingAppliesToRequestsOnly) {
  const Judge judge;
  Thread strict = judge.thread(true);
  Thread relaxed = judge.thread(false);
  for (Thread* thread : {&strict, &relaxed}) {
    append(*thread, user());
    append(*thread, callTurn());
    append(*thread, resultTurn());
    EXPECT_TRUE(append(*thread, user("and"), test::Policy::kReject).accepted);
  }
  EXPECT_EQ(lines(strict),
            std::vector<std::string>{"error response.not_followed_by_model /contents/3"});
  EXPECT_EQ(lines(relaxed),
            std::vector<std::string>{"info response.not_followed_by_model /contents/3"});
}

// Google ran the first call itself, and its response came in another chunk.
TEST(Thread, ExpectsNoResponseForACallThatALaterContentAnswers) {
  const Judge judge("gemini-3-flash-preview");
  Thread thread = judge.thread();
  append(thread, user());
  append(thread, content("model", {call("f", "1"), unsignedCall("g", "2")}));
  append(thread, content("model", {result("f", "1")}));
  const AppendResult done = append(thread, content("user", {result("g", "2")}));
  EXPECT_TRUE(test::linesOf(done.findings, judge.target()).empty());
}

}  // namespace
}  // namespace strata::thread
