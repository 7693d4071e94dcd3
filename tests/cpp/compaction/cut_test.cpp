#include "compaction/cut.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cases.h"
#include "support/random_history.h"

namespace strata::compaction {
namespace {

using test::append;
using test::callTurn;
using test::Judge;
using test::model;
using test::resultTurn;
using test::user;

uint32_t tenTokens(json::Value) { return 10; }

thread::Thread threadOf(const Judge& judge, const std::vector<std::string>& contents) {
  thread::Thread thread = judge.thread(false, tenTokens);
  for (const std::string& each : contents) append(thread, each);
  return thread;
}

TEST(Cut, TreatsTheThresholdAsInclusive) {
  const Judge judge;
  const thread::Thread thread = threadOf(judge, {user(), model(), user(), model()});
  EXPECT_EQ(findCut(thread, 41, true).turns, 0U);
  EXPECT_EQ(findCut(thread, 40, true).turns, 2U);
  EXPECT_EQ(findCut(thread, -1, true).turns, 0U);
}

TEST(Cut, StaysUntilTheThresholdIsReachedAgain) {
  const Judge judge;
  thread::Thread thread = judge.thread(false, tenTokens);
  std::vector<size_t> cuts;
  for (int i = 0; i < 6; ++i) {
    append(thread, user());
    append(thread, model());
    cuts.push_back(findCut(thread, 60, true).turns);
  }
  EXPECT_EQ(cuts, (std::vector<size_t>{0, 0, 4, 4, 8, 8}));
}

TEST(Cut, NeverSplitsAStepOrTheCurrentTurn) {
  const Judge judge;
  const thread::Thread thread = threadOf(
      judge, {user(), model(), user(), callTurn(), resultTurn(), callTurn(), resultTurn()});
  EXPECT_EQ(findCut(thread, 0, true).turns, 2U);
  for (const size_t turns : {1U, 3U, 4U, 5U, 6U, 7U, 8U})
    EXPECT_FALSE(isSafeSplitPoint(thread, turns));
  EXPECT_TRUE(isSafeSplitPoint(thread, 0));
  EXPECT_TRUE(isSafeSplitPoint(thread, 2));
}

// Gemini 2.5 accepts a call without a response.
TEST(Cut, IsNeverRightAfterAnOpenCall) {
  const Judge judge("gemini-2.5-flash");
  const std::vector<std::string> start = {user(), callTurn(), user(), model(), user()};
  EXPECT_EQ(findCut(threadOf(judge, start), 0, true).turns, 0U);
  std::vector<std::string> longer = {user(), model()};
  longer.insert(longer.end(), start.begin(), start.end());
  EXPECT_EQ(findCut(threadOf(judge, longer), 0, true).turns, 2U);
  EXPECT_TRUE(isSafeSplitPoint(threadOf(judge, longer), 2));
  longer[4] = test::content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"});
  longer.insert(longer.end(), {model(), user(), model()});
  EXPECT_EQ(findCut(threadOf(judge, longer), 10, true).turns, 2U);
}

TEST(Cut, KeepsTheNewestModelTurn) {
  const Judge judge;
  const thread::Thread thread = threadOf(judge, {user(), model(), user(), model(), user()});
  EXPECT_EQ(findCut(thread, 0, true).turns, 2U);
  EXPECT_FALSE(isSafeSplitPoint(thread, 4));
}

TEST(Cut, NeverCutsAHistoryWithoutAQuestionAndAnAnswer) {
  const Judge judge;
  EXPECT_EQ(findCut(threadOf(judge, {model(), model()}), 0, true).turns, 0U);
  EXPECT_EQ(findCut(threadOf(judge, {}), 0, true).turns, 0U);
  EXPECT_EQ(findCut(threadOf(judge, {user(), user()}), 0, true).turns, 0U);
}

TEST(Cut, StopsBeforeATurnWithMedia) {
  const Judge judge;
  const std::string image =
      test::content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"});
  const thread::Thread thread =
      threadOf(judge, {user(), model(), image, model(), user(), model(), user(), model()});
  EXPECT_EQ(findCut(thread, 10, true).turns, 2U);
  EXPECT_TRUE(findCut(thread, 10, true).blockedByMedia);
  EXPECT_EQ(findCut(thread, 10, false).turns, 6U);
  EXPECT_FALSE(findCut(thread, 10, false).blockedByMedia);
}

TEST(Cut, DoesNotReportMediaBelowTheThreshold) {
  const Judge judge;
  const std::string image =
      test::content("user", {R"({"inlineData":{"mimeType":"image/png","data":"AA"}})"});
  const thread::Thread thread = threadOf(judge, {user(), model(), image, model(), user(), model()});
  EXPECT_TRUE(findCut(thread, 40, true).blockedByMedia);
  EXPECT_FALSE(findCut(thread, 61, true).blockedByMedia);
}

// Returns one character for each position: "t" before a turn, "s" before a step, "-" elsewhere.
std::string placesOf(const thread::Thread& thread) {
  std::string places;
  for (size_t i = 0; i <= thread.size(); ++i) {
    places += "-ts"[static_cast<size_t>(splitPointAt(thread, i))];
  }
  return places;
}

TEST(SplitPoint, IsBeforeATurnOrBetweenStepsOfOneTurn) {
  const Judge judge;
  EXPECT_EQ(placesOf(threadOf(judge, {user(), model(), user(), model()})), "--t--");
  EXPECT_EQ(placesOf(threadOf(judge, {user(), callTurn(), resultTurn(), callTurn(), resultTurn(),
                                      callTurn(), resultTurn(), model()})),
            "---s-s---");
  const std::string mixed = test::content("user", {test::text("a"), test::result()});
  EXPECT_EQ(placesOf(threadOf(judge, {user(), callTurn(), mixed, callTurn(), resultTurn()})),
            "---s--");
}

TEST(SplitPoint, IsNeverAfterAnIncompleteStep) {
  const Judge judge;
  const std::string two = test::content("model", {test::call("f"), test::unsignedCall("g")});
  EXPECT_EQ(placesOf(threadOf(judge, {user(), two, resultTurn(), callTurn(), resultTurn()})),
            "------");
  EXPECT_EQ(placesOf(threadOf(judge, {user(), callTurn(), user(), model()})), "-----");
  EXPECT_EQ(placesOf(threadOf(judge, {user()})), "--");
}

// Lints each remainder with a summary before it.
TEST(SplitPoint, LeavesARemainderThatIsValidAfterASummary) {
  const Judge judge;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const std::vector<std::string> contents = test::RandomHistory(seed).contents(30);
    const thread::Thread thread = threadOf(judge, contents);
    for (size_t turns = 1; turns < contents.size(); ++turns) {
      if (splitPointAt(thread, turns) == SplitPoint::kNone) continue;
      std::vector<std::string> rest = {user("summary")};
      rest.insert(rest.end(), contents.begin() + static_cast<long>(turns), contents.end());
      for (const std::string& line : judge.lintContents(rest)) {
        const bool order =
            line.find("call.order") != line.npos || line.find("response.") != line.npos;
        ASSERT_FALSE(order && line.rfind("error", 0) == 0) << line << " at " << turns;
      }
    }
  }
}

// Appends `contents` one by one and compares each cut with the previous one.
void expectStableAndSafe(const Judge& judge, const std::vector<std::string>& contents,
                         int64_t threshold, bool keepMedia) {
  thread::Thread thread = judge.thread(false, tenTokens);
  size_t before = 0;
  for (const std::string& each : contents) {
    append(thread, each);
    const size_t cut = findCut(thread, threshold, keepMedia).turns;
    ASSERT_GE(cut, before);
    ASSERT_TRUE(isSafeSplitPoint(thread, cut)) << cut << " of " << thread.size();
    const int64_t behind = thread.tokens() - thread.checkpointAfter(before).tokens;
    ASSERT_TRUE(behind >= threshold || cut == before);
    for (size_t i = 0; keepMedia && i < cut; ++i)
      ASSERT_FALSE(thread.checkpointAfter(i + 1).hasMedia);
    before = cut;
  }
}

TEST(Cut, IsStableAndSafeInRandomConversations) {
  const Judge judge;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    test::RandomHistory random(seed);
    const auto threshold = static_cast<int64_t>(random.below(200));
    expectStableAndSafe(judge, random.contents(60), threshold, seed % 2 == 0);
  }
}

TEST(Cut, DoesNotDependOnHowTheThreadWasBuilt) {
  const Judge judge;
  test::RandomHistory random(5);
  thread::Thread thread = judge.thread(false, tenTokens);
  std::vector<size_t> cuts;
  for (const std::string& each : random.contents(80)) {
    cuts.push_back(findCut(thread, 100, false).turns);
    append(thread, each);
  }
  for (size_t turns = 80; turns-- > 0;) {
    thread.rewind(turns);
    EXPECT_EQ(findCut(thread, 100, false).turns, cuts[turns]);
  }
}

// ---- Cases of s-age/pipe, which splits a history into a cached and a buffered part ----

int64_t number(test::Case test, std::string_view name) { return test.find(name).integer(0); }

// Makes questions and answers. The first question has all tokens.
thread::Thread chatOf(const Judge& judge, size_t turns, int64_t tokens) {
  thread::Thread thread = judge.thread(false, tenTokens);
  for (size_t i = 0; i < turns; ++i) {
    const std::string content = i % 2 == 0 ? user() : model();
    const test::Json meta("{\"tokens\":" + std::to_string(i == 0 ? tokens : 0) + "}");
    const json::Tape tape = json::Tape::read(content).value();
    thread.append(content, tape.root(), meta.root(), thread::Thread::Policy::kReject);
  }
  return thread;
}

class PipeCases : public testing::Test {
 protected:
  const Judge judge_;
  const test::Cases file_ = test::readCases("tests/cases/pipe_cache_split.json");
};

// As in pipe, turns move when the threshold is reached, and never for a negative one. Differs in
// what moves: pipe buffers only the last turn, so a request would start with a model Content; here
// the newest question stays with its answer.
TEST_F(PipeCases, MovesTurnsWhenTheThresholdIsReached) {
  size_t run = 0;
  for (const test::Case test : file_.root().find("era_a").find("split_history").elements()) {
    if (number(test, "cached_content_tokens") != 0) continue;
    const auto turns = static_cast<size_t>(number(test, "turns"));
    const thread::Thread thread = chatOf(judge_, turns, number(test, "prompt_tokens"));
    const bool moves = test.find("expected").find("mode").equals("update");
    const auto pipes = static_cast<size_t>(number(test.find("expected"), "cached_turns"));
    EXPECT_EQ(findCut(thread, number(test, "threshold"), true).turns, moves ? pipes - 1 : 0);
    EXPECT_EQ(isSafeSplitPoint(thread, pipes), pipes == 0);
    ++run;
  }
  EXPECT_EQ(run, 4U);
}

// Pipe derives the number of cached turns from the share of cached tokens, which may be off by one.
// Here the cache reports its turns, and the count is accepted if the history can be cut there.
TEST_F(PipeCases, AcceptsTheTurnCountOfACacheOnlyAtASafeCut) {
  size_t run = 0;
  for (const test::Case test : file_.root().find("era_a").find("split_history").elements()) {
    if (number(test, "cached_content_tokens") == 0) continue;
    const auto turns = static_cast<size_t>(number(test, "turns"));
    const thread::Thread thread = chatOf(judge_, turns, number(test, "prompt_tokens"));
    const auto guessed = static_cast<size_t>(number(test.find("expected"), "cached_turns"));
    // Between two exchanges, before the newest question and its answer.
    const bool safe = guessed % 2 == 0 && guessed / 2 < std::max<size_t>(1, turns / 2);
    EXPECT_EQ(isSafeSplitPoint(thread, guessed), safe) << guessed;
    ++run;
  }
  EXPECT_EQ(run, 7U);
}

// The later version of pipe also counts the tokens after the boundary. Below the threshold the
// boundary stays. A cache that can't be created changes nothing (tests/js/portable/caching.mjs).
TEST_F(PipeCases, KeepsTheBoundaryUntilTheBufferReachesTheThreshold) {
  size_t run = 0;
  for (const test::Case test : file_.root().find("era_b").find("update_if_needed").elements()) {
    const int64_t threshold = number(test, "threshold");
    const int64_t buffered = number(test, "buffered_tokens");
    const auto turns = static_cast<size_t>(number(test, "history_turns"));
    const size_t cut = findCut(chatOf(judge_, turns, buffered), threshold, true).turns;
    EXPECT_EQ(cut, buffered >= threshold ? turns - 2 : 0U);
    ++run;
  }
  EXPECT_EQ(run, 6U);
}

}  // namespace
}  // namespace strata::compaction
