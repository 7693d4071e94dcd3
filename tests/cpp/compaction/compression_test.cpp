#include "compaction/compression.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compaction/cut.h"
#include "json/number.h"
#include "support/contents.h"
#include "thread/rewrite.h"

namespace strata::compaction {
namespace {

class CompressionTest : public testing::Test {
 protected:
  thread::Thread threadOf(const std::vector<std::string>& contents) {
    catalogue::Target target;
    target.catalogue = &catalogue_;
    target.model = &catalogue_.model("gemini-3.8-flash");
    thread::Thread thread(target, false, [](json::Value content) {
      return static_cast<uint32_t>(content.bytes().size());
    });
    for (const std::string& content : contents) append(thread, content, {});
    return thread;
  }

  static void append(thread::Thread& thread, const std::string& content, json::Value meta) {
    const json::Tape tape = json::Tape::read(content).value();
    thread.append(content, tape.root(), meta, thread::Thread::Policy::kWarn);
  }

  // A question and its answer an entry, each with what Pioneer adds for a message.
  thread::Thread exchanges(json::Value entries) {
    thread::Thread thread = threadOf({});
    for (const json::Value entry : json::elements(entries)) {
      for (size_t i = 0; i < 2; ++i) {
        const test::Json meta("{\"tokens\":" + std::to_string(entry.at(i).integer(0) + 4) + "}");
        append(thread, i == 0 ? test::user() : test::model(), meta.root());
      }
    }
    return thread;
  }

  catalogue::Catalogue catalogue_;
};

// The last question that a history may begin with.
size_t newestQuestion(const thread::Thread& thread) {
  size_t newest = 0;
  for (size_t i = 1; i < thread.size(); ++i) {
    if (cutPlace(thread, i) == CutPlace::kTurn) newest = i;
  }
  return newest;
}

// Where we choose otherwise: Gemini CLI may sum up everything, here something always stays; it
// takes a Content without parts for a question, which the API refuses; and it can't compress inside
// a turn, where we cut between two steps.
TEST_F(CompressionTest, SplitsWhereGeminiCliSplits) {
  const test::Json file(test::readFile("tests/cases/gemini_cli_compression_split.json").value());
  size_t run = 0;
  size_t same = 0;
  size_t steps = 0;
  for (const json::Value test : json::elements(file.root().find("cases"))) {
    const std::string name = test.find("name").text();
    std::vector<std::string> contents;
    for (const json::Value content : json::elements(test.find("contents"))) {
      contents.push_back(test::compact(content.bytes()));
    }
    const thread::Thread thread = threadOf(contents);
    const std::vector<size_t> lengths = turnLengths(thread);
    for (size_t i = 0; i < lengths.size(); ++i) {
      EXPECT_EQ(lengths[i], test.find("json_lengths").at(i).integer(-1)) << name;
    }
    const double fraction = json::readDouble(test.find("fraction").bytes()).value();
    const size_t ours = compressionCut(thread, fraction);
    const auto theirs = static_cast<size_t>(test.find("split_head").integer(-1));
    if (cutPlace(thread, ours) == CutPlace::kStep) {
      EXPECT_LT(theirs, ours) << name;
      ++steps;
    } else if (theirs == 0 || cutPlace(thread, theirs) == CutPlace::kTurn) {
      EXPECT_EQ(ours, theirs) << name;
      ++same;
    } else {
      EXPECT_EQ(ours, newestQuestion(thread)) << name;
    }
    ++run;
  }
  EXPECT_EQ(run, 52U);
  EXPECT_EQ(same, 35U);
  EXPECT_EQ(steps, 2U);
  const thread::Thread chat = threadOf({test::user(), test::model(), test::user(), test::model()});
  for (const json::Value test : json::elements(file.root().find("bad_fractions"))) {
    const double fraction = json::readDouble(test.find("fraction").bytes()).value();
    EXPECT_EQ(compressionCut(chat, fraction), 0U) << fraction;
  }
}

TEST_F(CompressionTest, ALongToolLoopIsCutBetweenItsSteps) {
  std::vector<std::string> contents = {test::user()};
  for (int i = 0; i < 20; ++i) {
    contents.push_back(test::callTurn());
    contents.push_back(test::resultTurn());
  }
  const thread::Thread thread = threadOf(contents);
  const size_t cut = compressionCut(thread, 0.7);
  EXPECT_GE(cut, 27U);
  EXPECT_LE(cut, 31U);
  EXPECT_EQ(cut % 2, 1U) << "not in front of a call";
  EXPECT_EQ(compressionCut(threadOf({test::user(), test::model()}), 0.7), 0U);
  const thread::Thread chat = threadOf({test::user(), test::model(), test::user(), test::model()});
  EXPECT_EQ(compressionCut(chat, 0.7), 2U);
}

TEST_F(CompressionTest, OldTurnsOfAnotherTurnsLoopAreNoPlaceToCut) {
  const thread::Thread thread =
      threadOf({test::user(), test::callTurn(), test::resultTurn(), test::callTurn(),
                test::resultTurn(), test::model(), test::user()});
  EXPECT_EQ(compressionCut(thread, 0.3), 6U);
}

TEST_F(CompressionTest, AQuestionBehindAnOpenCallIsNoPlaceToCut) {
  const thread::Thread broken = threadOf(
      {test::user(), test::model(), test::user(), test::callTurn(), test::user(), test::model()});
  EXPECT_EQ(compressionCut(broken, 0.6), 2U);
}

TEST_F(CompressionTest, WhatIsTruncatedBeginsAtASafePlace) {
  const thread::Thread thread =
      threadOf({test::user(), test::model(), test::user(), test::callTurn(), test::resultTurn(),
                test::callTurn(), test::resultTurn()});
  EXPECT_EQ(truncationCut(thread, 100000), 0U);
  EXPECT_EQ(truncationCut(thread, thread.tokens() - 1), 2U);
  const uint32_t lastStep = thread.tokens() - thread.checkpointAfter(5).tokens;
  EXPECT_EQ(truncationCut(thread, lastStep), 5U);
  EXPECT_EQ(truncationCut(thread, 1), 5U) << "the newest step stays, too long or not";
}

// Pioneer's cases, with its overhead of four tokens a message. We choose otherwise where it keeps
// no recent turns: after a success the newest stay (tests/js/portable/compression), and so does the
// newest exchange when nothing fits.
TEST_F(CompressionTest, TheBudgetIsPioneers) {
  const test::Json file(test::readFile("tests/cases/pioneer_history_budget.json").value());
  size_t run = 0;
  for (const json::Value test : json::elements(file.root().find("cases"))) {
    const json::Value expected = test.find("expected");
    if (!expected.find("budget")) continue;  // the load itself failed: the caller's concern
    const std::string name = test.find("name").text();
    const HistoryBudget budget =
        historyBudget(static_cast<uint32_t>(test.find("max_context").integer(0)),
                      static_cast<uint32_t>(test.find("reserve").integer(0)));
    EXPECT_EQ(budget.budget, expected.find("budget").integer(-1)) << name;
    EXPECT_EQ(budget.threshold, expected.find("threshold").integer(-1)) << name;
    EXPECT_EQ(budget.target, expected.find("target").integer(-1)) << name;
    const thread::Thread thread = exchanges(test.find("entries_tokens"));
    const auto summary = static_cast<uint32_t>(test.find("summary_tokens").integer(-4) + 4);
    const uint32_t total = thread.tokens() + summary;
    EXPECT_EQ(total, expected.find("total").integer(-1)) << name;
    EXPECT_EQ(total < budget.threshold, expected.find("decision").equals("as_is")) << name;
    if (expected.find("decision").equals("truncated")) {
      const size_t stay = (thread.size() - truncationCut(thread, budget.budget - summary)) / 2;
      EXPECT_EQ(stay, std::max<size_t>(1, expected.find("messages").size())) << name;
    }
    ++run;
  }
  EXPECT_EQ(run, 9U);
}

TEST_F(CompressionTest, RewritingKeepsTheBytesOfAllOtherTurns) {
  const thread::Thread thread =
      threadOf({test::user("one"), test::model("two"), test::user("three"), test::model("four")});
  const std::string summary = test::user("sum");
  const Result<thread::Thread> made = thread::rewrite(thread, {{0, 2, {summary}}, {3, 4, {}}});
  ASSERT_TRUE(made);
  ASSERT_EQ(made.value().size(), 2U);
  EXPECT_EQ(made.value().content(0), summary);
  EXPECT_EQ(made.value().content(1), test::user("three"));
  EXPECT_EQ(thread.size(), 4U);
  EXPECT_EQ(thread::rewrite(thread, {{3, 5, {}}}).error().path, "/0");
  EXPECT_EQ(thread::rewrite(thread, {{1, 2, {}}, {0, 1, {}}}).error().path, "/1");
  EXPECT_EQ(thread::rewrite(thread, {{0, 1, {"{"}}}).error().code, "json.invalid");
}

}  // namespace
}  // namespace strata::compaction
