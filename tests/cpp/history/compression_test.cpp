#include "history/compression.h"

#include <gtest/gtest.h>

#include "history/rewrite.h"
#include "json/number.h"
#include "support/contents.h"

namespace strata::history {
namespace {

class CompressionTest : public testing::Test {
 protected:
  Thread threadOf(const std::vector<std::string>& contents) {
    rules::Target target;
    target.catalogue = &catalogue_;
    target.model = &catalogue_.model("gemini-3.8-flash");
    Thread thread(target, false, [](json::Value content) {
      return static_cast<uint32_t>(content.bytes().size());
    });
    for (const std::string& content : contents) {
      const json::Tape tape = json::Tape::read(content).value();
      thread.append(content, tape.root(), {}, Thread::Policy::kWarn);
    }
    return thread;
  }

  rules::Catalogue catalogue_;
};

TEST_F(CompressionTest, SplitsWhereGeminiCliSplits) {
  const test::Json file(test::readFile("tests/cases/gemini_cli_compression_split.json").value());
  size_t run = 0;
  for (const json::Value test : json::elements(file.root().find("cases"))) {
    const std::string name = test.find("name").text();
    std::vector<std::string> contents;
    for (const json::Value content : json::elements(test.find("contents"))) {
      contents.push_back(test::compact(content.bytes()));
    }
    const Thread thread = threadOf(contents);
    const std::vector<size_t> lengths = turnLengths(thread);
    for (size_t i = 0; i < lengths.size(); ++i) {
      EXPECT_EQ(lengths[i], test.find("json_lengths").at(i).integer(-1)) << name;
    }
    const double fraction = json::readDouble(test.find("fraction").bytes()).value();
    EXPECT_EQ(splitAtFraction(thread, fraction), test.find("split_head").integer(-1)) << name;
    ++run;
  }
  EXPECT_EQ(run, 52U);
  for (const json::Value test : json::elements(file.root().find("bad_fractions"))) {
    const double fraction = json::readDouble(test.find("fraction").bytes()).value();
    EXPECT_FALSE(splitAtFraction(threadOf({test::user()}), fraction)) << fraction;
  }
}

// Where we choose otherwise: Gemini CLI can't compress inside a turn (its split of one long tool
// loop is 0) and may sum up everything; ours cuts between two steps, and something always stays.
TEST_F(CompressionTest, ALongToolLoopIsCutBetweenItsSteps) {
  std::vector<std::string> contents = {test::user()};
  for (int i = 0; i < 20; ++i) {
    contents.push_back(test::callTurn());
    contents.push_back(test::resultTurn());
  }
  const Thread thread = threadOf(contents);
  EXPECT_EQ(splitAtFraction(thread, 0.7), 0U);
  const size_t cut = compressionCut(thread, 0.7);
  EXPECT_GE(cut, 27U);
  EXPECT_LE(cut, 31U);
  EXPECT_EQ(cut % 2, 1U) << "not in front of a call";
  EXPECT_EQ(compressionCut(threadOf({test::user(), test::model()}), 0.7), 0U);
  const Thread chat = threadOf({test::user(), test::model(), test::user(), test::model()});
  EXPECT_EQ(splitAtFraction(chat, 0.7), 4U);
  EXPECT_EQ(compressionCut(chat, 0.7), 2U);
}

TEST_F(CompressionTest, OldTurnsOfAnotherTurnsLoopAreNoPlaceToCut) {
  const Thread thread =
      threadOf({test::user(), test::callTurn(), test::resultTurn(), test::callTurn(),
                test::resultTurn(), test::model(), test::user()});
  EXPECT_EQ(compressionCut(thread, 0.3), 6U);
}

TEST_F(CompressionTest, NothingGoesForAFractionThatIsNone) {
  const Thread chat = threadOf({test::user(), test::model(), test::user(), test::model()});
  for (const double fraction : {0.0, 1.0, -0.5, 2.0}) EXPECT_EQ(compressionCut(chat, fraction), 0U);
}

TEST_F(CompressionTest, AQuestionBehindAnOpenCallIsNoPlaceToCut) {
  const Thread broken = threadOf(
      {test::user(), test::model(), test::user(), test::callTurn(), test::user(), test::model()});
  EXPECT_EQ(splitAtFraction(broken, 0.6), 4U);
  EXPECT_EQ(compressionCut(broken, 0.6), 2U);
}

TEST_F(CompressionTest, WhatIsTruncatedBeginsAtASafePlace) {
  const Thread thread = threadOf({test::user(), test::model(), test::user(), test::callTurn(),
                                  test::resultTurn(), test::callTurn(), test::resultTurn()});
  EXPECT_EQ(truncationCut(thread, 100000), 0U);
  EXPECT_EQ(truncationCut(thread, thread.tokens() - 1), 2U);
  const uint32_t lastStep = thread.tokens() - thread.behind(5).tokens;
  EXPECT_EQ(truncationCut(thread, lastStep), 5U);
  EXPECT_EQ(truncationCut(thread, 1), 5U) << "the newest step stays, too long or not";
}

// Pioneer's cases, with its overhead of four tokens a message. After a success it keeps no recent
// turns, where we keep the newest (design.md); the rest is decided alike.
TEST_F(CompressionTest, TheBudgetIsPioneers) {
  const test::Json file(test::readFile("tests/cases/pioneer_history_budget.json").value());
  size_t run = 0;
  for (const json::Value test : json::elements(file.root().find("cases"))) {
    const json::Value expected = test.find("expected");
    if (!expected.find("budget")) continue;  // the load itself failed: the caller's concern
    const HistoryBudget budget =
        historyBudget(static_cast<uint32_t>(test.find("max_context").integer(0)),
                      static_cast<uint32_t>(test.find("reserve").integer(0)));
    EXPECT_EQ(budget.budget, expected.find("budget").integer(-1));
    EXPECT_EQ(budget.threshold, expected.find("threshold").integer(-1));
    EXPECT_EQ(budget.target, expected.find("target").integer(-1));
    std::vector<uint32_t> tokens;
    const int64_t summary = test.find("summary_tokens").integer(-4) + 4;
    uint64_t total = static_cast<uint64_t>(summary);
    for (const json::Value entry : json::elements(test.find("entries_tokens"))) {
      tokens.push_back(static_cast<uint32_t>(entry.at(0).integer(0) + entry.at(1).integer(0) + 8));
      total += tokens.back();
    }
    EXPECT_EQ(total, expected.find("total").integer(-1)) << test.find("name").text();
    const bool asIs = total < budget.threshold;
    EXPECT_EQ(asIs, expected.find("decision").equals("as_is")) << test.find("name").text();
    if (expected.find("decision").equals("truncated")) {
      const size_t first = newestThatFit(tokens, budget.budget, static_cast<uint64_t>(summary));
      EXPECT_EQ(tokens.size() - first, expected.find("messages").size())
          << test.find("name").text();
    }
    ++run;
  }
  EXPECT_EQ(run, 9U);
}

TEST_F(CompressionTest, RewritingKeepsTheBytesOfAllOtherTurns) {
  const Thread thread =
      threadOf({test::user("one"), test::model("two"), test::user("three"), test::model("four")});
  const std::string summary = test::user("sum");
  const Result<Thread> made = rewrite(thread, {{0, 2, {summary}}, {3, 4, {}}});
  ASSERT_TRUE(made);
  ASSERT_EQ(made.value().size(), 2U);
  EXPECT_EQ(made.value().content(0), summary);
  EXPECT_EQ(made.value().content(1), test::user("three"));
  EXPECT_EQ(thread.size(), 4U);
  EXPECT_EQ(rewrite(thread, {{3, 5, {}}}).error().path, "/0");
  EXPECT_EQ(rewrite(thread, {{1, 2, {}}, {0, 1, {}}}).error().path, "/1");
  EXPECT_EQ(rewrite(thread, {{0, 1, {"{"}}}).error().code, "json.invalid");
}

}  // namespace
}  // namespace strata::history
