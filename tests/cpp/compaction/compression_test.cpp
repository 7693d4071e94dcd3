#include "compaction/compression.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compaction/cut.h"
#include "support/cases.h"
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

  // Makes one question and answer for each entry, each with Pioneer's overhead of four tokens.
  thread::Thread exchanges(test::Case entries) {
    thread::Thread thread = threadOf({});
    for (const test::Case entry : entries.elements()) {
      for (size_t i = 0; i < 2; ++i) {
        const test::Json meta("{\"tokens\":" + std::to_string(entry.at(i).integer(0) + 4) + "}");
        append(thread, i == 0 ? test::user() : test::model(), meta.root());
      }
    }
    return thread;
  }

  catalogue::Catalogue catalogue_;
};

// Returns the last question that a history may start with.
size_t newestQuestion(const thread::Thread& thread) {
  size_t newest = 0;
  for (size_t i = 1; i < thread.size(); ++i) {
    if (splitPointAt(thread, i) == SplitPoint::kTurn) newest = i;
  }
  return newest;
}

// Differs from Gemini CLI (findCompressSplitPoint in packages/core/src/context/
// chatCompressionService.ts) in three ways: at least one turn remains; a Content without parts,
// which the API rejects, is not a question; and a turn can be split between two steps.
TEST_F(CompressionTest, SplitsAtTheSamePointsAsGeminiCli) {
  const test::Cases file = test::readCases("tests/cases/gemini_cli_compression_split.json");
  size_t run = 0;
  size_t same = 0;
  size_t steps = 0;
  for (const test::Case test : file.root().find("cases").elements()) {
    const std::string name = test.find("name").text();
    std::vector<std::string> contents;
    for (const test::Case content : test.find("contents").elements()) {
      contents.push_back(content.compact());
    }
    const thread::Thread thread = threadOf(contents);
    const std::vector<size_t> lengths = turnLengths(thread);
    for (size_t i = 0; i < lengths.size(); ++i) {
      EXPECT_EQ(lengths[i], test.find("json_lengths").at(i).integer(-1)) << name;
    }
    const double fraction = test.find("fraction").number(-1);
    const size_t ours = compressionSplitPoint(thread, fraction);
    const auto theirs = static_cast<size_t>(test.find("split_head").integer(-1));
    if (splitPointAt(thread, ours) == SplitPoint::kStep) {
      EXPECT_LT(theirs, ours) << name;
      ++steps;
    } else if (theirs == 0 || splitPointAt(thread, theirs) == SplitPoint::kTurn) {
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
  for (const test::Case test : file.root().find("bad_fractions").elements()) {
    const double fraction = test.find("fraction").number(-1);
    EXPECT_EQ(compressionSplitPoint(chat, fraction), 0U) << fraction;
  }
}

TEST_F(CompressionTest, SplitsALongToolLoopBetweenSteps) {
  std::vector<std::string> contents = {test::user()};
  for (int i = 0; i < 20; ++i) {
    contents.push_back(test::callTurn());
    contents.push_back(test::resultTurn());
  }
  const thread::Thread thread = threadOf(contents);
  const size_t cut = compressionSplitPoint(thread, 0.7);
  EXPECT_GE(cut, 27U);
  EXPECT_LE(cut, 31U);
  EXPECT_EQ(cut % 2, 1U) << "must split before a call";
  EXPECT_EQ(compressionSplitPoint(threadOf({test::user(), test::model()}), 0.7), 0U);
  const thread::Thread chat = threadOf({test::user(), test::model(), test::user(), test::model()});
  EXPECT_EQ(compressionSplitPoint(chat, 0.7), 2U);
}

TEST_F(CompressionTest, DoesNotSplitBetweenStepsOfAnEarlierTurn) {
  const thread::Thread thread =
      threadOf({test::user(), test::callTurn(), test::resultTurn(), test::callTurn(),
                test::resultTurn(), test::model(), test::user()});
  EXPECT_EQ(compressionSplitPoint(thread, 0.3), 6U);
}

TEST_F(CompressionTest, DoesNotSplitAfterAnOpenCall) {
  const thread::Thread broken = threadOf(
      {test::user(), test::model(), test::user(), test::callTurn(), test::user(), test::model()});
  EXPECT_EQ(compressionSplitPoint(broken, 0.6), 2U);
}

TEST_F(CompressionTest, TruncatesAtASafeSplitPoint) {
  const thread::Thread thread =
      threadOf({test::user(), test::model(), test::user(), test::callTurn(), test::resultTurn(),
                test::callTurn(), test::resultTurn()});
  EXPECT_EQ(truncationSplitPoint(thread, 100000), 0U);
  EXPECT_EQ(truncationSplitPoint(thread, thread.tokens() - 1), 2U);
  const uint32_t lastStep = thread.tokens() - thread.checkpointAfter(5).tokens;
  EXPECT_EQ(truncationSplitPoint(thread, lastStep), 5U);
  EXPECT_EQ(truncationSplitPoint(thread, 1), 5U)
      << "the newest step remains even if it exceeds the budget";
}

// The cases were recorded from pioneerdotai/pioneer, with its overhead of four tokens per message.
// Differs where Pioneer keeps no recent turns: the newest turns remain after a summary
// (tests/js/portable/compression.mjs), and the newest exchange remains if nothing fits.
TEST_F(CompressionTest, MatchesTheRecordedBudgetCases) {
  const test::Cases file = test::readCases("tests/cases/pioneer_history_budget.json");
  size_t run = 0;
  for (const test::Case test : file.root().find("cases").elements()) {
    const test::Case expected = test.find("expected");
    if (!expected.find("budget")) continue;  // loading the history failed, which is not tested here
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
      const size_t stay =
          (thread.size() - truncationSplitPoint(thread, budget.budget - summary)) / 2;
      EXPECT_EQ(stay, std::max<size_t>(1, expected.find("messages").size())) << name;
    }
    ++run;
  }
  EXPECT_EQ(run, 9U);
}

TEST_F(CompressionTest, RewriteKeepsTheBytesOfAllOtherTurns) {
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
