// Bodies with very many faults: findings are bounded, and verdicts stay exact.
#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::lint {
namespace {

using catalogue::Finding;
using catalogue::Findings;
using catalogue::Rule;
using test::bodyOf;
using test::content;
using test::Judge;
using test::model;
using test::result;
using test::unsignedCall;
using test::user;
using Strings = std::vector<std::string>;

Findings lintOf(const Judge& judge, const std::string& body) {
  return lintRequest(body, judge.context());
}

// Returns how many findings of a rule there are, listed or counted.
uint64_t countOf(const Findings& findings, Rule rule) {
  uint64_t count = 0;
  for (const Finding& finding : findings) count += finding.rule == rule ? 1 + finding.more : 0;
  return count;
}

Strings repeated(const std::string& text, size_t times) { return Strings(times, text); }

TEST(FindingBounds, CountFaultsBeyondTheBound) {
  constexpr size_t kMany = 20'000;
  const Judge judge;
  const Findings parts = lintOf(judge, bodyOf({content("user", repeated("{}", kMany))}));
  EXPECT_EQ(parts.size(), Findings::kMostPerGroup);
  EXPECT_EQ(countOf(parts, Rule::kPartNoData), kMany);
  const Findings contents = lintOf(judge, bodyOf(repeated("{}", kMany)));
  EXPECT_EQ(contents.size(), 2 * Findings::kMostPerGroup);
  EXPECT_EQ(countOf(contents, Rule::kPartsEmpty), kMany);
  EXPECT_EQ(countOf(contents, Rule::kRoleInvalid), kMany);
}

TEST(FindingBounds, ReportAnErrorBehindManyWarnings) {
  const Judge judge;
  Strings contents = repeated(R"({"parts":[{"text":"a"}]})", 1000);
  contents.push_back(R"({"role":"narrator","parts":[{"text":"a"}]})");
  const Strings lines = judge.lintContents(contents);
  EXPECT_EQ(lines.size(), Findings::kMostPerGroup + 1);
  EXPECT_EQ(lines.back(), "error role.invalid /contents/1000/role");
}

TEST(FindingBounds, ForgetTurnsThatAreOver) {
  const Judge judge;
  Strings contents;
  const auto addStep = [&contents](const std::string& calls) {
    for (const std::string& each :
         {user(), content("model", {calls}), content("user", {result()}), model()}) {
      contents.push_back(each);
    }
  };
  for (int i = 0; i < 300; ++i) addStep(unsignedCall());
  addStep(unsignedCall());
  contents.pop_back();
  const Strings missing = {"error signature.missing /contents/1201/parts/0"};
  EXPECT_EQ(judge.lintContents(contents), missing);
  contents.push_back(model());
  contents.push_back(user());
  EXPECT_EQ(judge.lintContents(contents), Strings());
}

TEST(FindingBounds, KeepTheSeverityOfTheCurrentTurn) {
  // A user Content with text and results ends the turn under one of two readings only.
  const Judge judge;
  Strings contents = {user()};
  for (int i = 0; i < 150; ++i) {
    contents.push_back(content("model", {unsignedCall()}));
    contents.push_back(content("user", {test::text("b"), result()}));
  }
  contents.push_back(content("model", {unsignedCall()}));
  contents.push_back(content("user", {result()}));
  const Strings lines = judge.lintContents(contents);
  EXPECT_EQ(lines.size(), Findings::kMostPerGroup + 1);
  EXPECT_EQ(lines.front(), "warning signature.missing /contents/1/parts/0");
  EXPECT_EQ(lines.back(), "error signature.missing /contents/301/parts/0");
}

}  // namespace
}  // namespace strata::lint
