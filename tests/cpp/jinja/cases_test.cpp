// Compares over a thousand templates with the output of Python's Jinja2 3.1.
#include <gtest/gtest.h>

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "jinja/case_runner.h"

namespace strata::jinja {
namespace {

// In tier 1, the line of an error must match as well.
bool isEqual(test::Case given, const CaseResult& got) {
  const test::Case output = given.find("expected");
  if (output) return got.rendered && output.equals(got.output);
  if (got.rendered || !given.find("expected_error_kind").equals(got.kind)) return false;
  const int64_t line = given.find("expected_error").find("line").integer(-1);
  return given.find("tier").integer(0) != 1 || line < 0 || line == got.line;
}

struct Score {
  size_t passed = 0;
  size_t total = 0;
  std::vector<std::string> failed;
};

Score score(int tier, const std::string& cases = "jinja2_all.json") {
  const test::Cases file = test::readCases("tests/cases/" + cases);
  Score score;
  for (const test::Case given : file.root().find("cases").elements()) {
    if (given.find("tier").integer(0) != tier) continue;
    ++score.total;
    if (isEqual(given, runCase(given))) {
      ++score.passed;
    } else {
      score.failed.push_back(given.find("name").text());
    }
  }
  std::cout << "tier " << tier << ": " << score.passed << " of " << score.total << "\n";
  for (const std::string& name : score.failed) std::cout << "  differs: " << name << "\n";
  return score;
}

TEST(Cases, MatchesJinja2ByteForByteInTierOne) {
  const Score tier = score(1);
  EXPECT_GT(tier.total, 800U);
  EXPECT_EQ(tier.passed, tier.total);
}

TEST(Cases, MatchesJinja2ByteForByteInRegressionCases) {
  const Score more = score(1, "jinja2_more.json");
  EXPECT_GT(more.total, 200U);
  EXPECT_EQ(more.passed, more.total);
}

TEST(Cases, MatchesJinja2In99PercentOfTierTwo) {
  const Score tier = score(2);
  EXPECT_GT(tier.total, 150U);
  EXPECT_GE(tier.passed * 100, tier.total * 99);
}

TEST(Cases, ListsEveryDeviationWithItsReason) {
  const test::Cases file = test::readCases("tests/cases/jinja2_deviations.json");
  std::set<std::string> written;
  for (const test::CaseMember& entry : file.root().members()) {
    EXPECT_FALSE(entry.value.text().empty());
    written.insert(entry.key);
  }
  std::set<std::string> found;
  for (int tier = 1; tier <= 3; ++tier) {
    for (const std::string& name : score(tier).failed) found.insert(name);
  }
  EXPECT_EQ(found, written);
}

}  // namespace
}  // namespace strata::jinja
