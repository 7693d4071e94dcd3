#include <gtest/gtest.h>

#include <algorithm>

#include "lint/lint.h"
#include "support/random_history.h"

namespace strata::thread {
namespace {

using test::append;
using test::Judge;

// Expects the same findings from linting a body and from a thread that appended its Contents one by
// one, plus the rules about the end of a request, which a thread does not check.
void expectFold(const Judge& judge, const std::vector<std::string>& contents) {
  thread::Thread thread = judge.thread();
  for (const std::string& each : contents) append(thread, each);
  catalogue::Findings findings = thread.findings();
  checkEnd(thread.checkpointAfter(thread.size()).state, findings);
  std::vector<std::string> folded = test::linesOf(findings, judge.target());
  std::vector<std::string> linted = judge.lintContents(contents);
  std::sort(folded.begin(), folded.end());
  std::sort(linted.begin(), linted.end());
  ASSERT_EQ(linted, folded) << test::bodyOf(contents);
}

TEST(LintFold, LintAndThreadReportTheSameFindings) {
  for (const char* model : {"gemini-2.5-pro", "gemini-3.1-pro", "gemini-3.8-flash"}) {
    const Judge judge(model);
    for (uint32_t seed = 0; seed < 150; ++seed) {
      test::RandomHistory random(seed, true);
      const size_t count = 2 + random.below(14);
      expectFold(judge, random.contents(count));
    }
  }
}

// Returns whether a finding may occur in a well-formed random history: unsigned calls, its end, and
// everything below an error.
bool isAllowed(const std::string& line) {
  for (const char* code : {"warning ", "info ", "error signature.missing", "error call.open",
                           "error turn.ends_with_model"}) {
    if (line.rfind(code, 0) == 0) return true;
  }
  return false;
}

TEST(LintFold, WellFormedConversationsHaveNoSequenceErrors) {
  const Judge judge;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    for (const std::string& line : judge.lintContents(test::RandomHistory(seed).contents(30))) {
      EXPECT_TRUE(isAllowed(line)) << line;
    }
  }
}

}  // namespace
}  // namespace strata::thread
