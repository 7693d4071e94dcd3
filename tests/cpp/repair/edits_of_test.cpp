// The edits of findings make the repaired body, and those of different fixes are apart.
#include "repair/edits_of.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lint/places.h"
#include "support/contents.h"

namespace strata::repair {
namespace {

using catalogue::Findings;
using catalogue::TextEdit;
using test::bodyOf;
using test::call;
using test::content;
using test::result;
using test::text;
using test::unsignedCall;
using test::user;
using Lines = std::vector<std::string>;

/// The findings of a body with their edits.
struct Linted {
  Findings findings;
  std::optional<RepairResult> repaired;
  TextEdits edits;
};

Linted lintWithEdits(std::string_view body, RepairOptions options = {}) {
  const test::Judge judge;
  const lint::LintContext context = judge.context();
  Linted linted;
  linted.findings = lint::lintRequest(body, context);
  lint::findRanges({linted.findings.begin(), linted.findings.size()}, json::LenientTape(body));
  linted.edits = findEdits(linted.findings, body, context, options, linted.repaired);
  return linted;
}

std::string applied(std::string body, TextEdits edits) {
  std::sort(edits.begin(), edits.end(),
            [](const TextEdit& one, const TextEdit& other) { return one.begin > other.begin; });
  for (const TextEdit& each : edits) body.replace(each.begin, each.end - each.begin, each.text);
  return body;
}

// Returns "code: text that is replaced -> new text, …" of each finding.
Lines linesOf(const std::string& body, const Linted& linted) {
  const test::Judge judge;
  Lines lines;
  for (const catalogue::Finding& finding : linted.findings) {
    std::string line = std::string(judge.target().row(finding.rule).code) + ":";
    for (const TextEdit& edit : linted.edits) {
      if (edit.fix != finding.fix) continue;
      line +=
          " " + body.substr(edit.begin, edit.end - edit.begin) + " -> " + std::string(edit.text);
    }
    lines.push_back(line);
  }
  return lines;
}

TEST(Edits, ChangeOnlyWhatDiffers) {
  const std::string body =
      bodyOf({content("assistant", {text("a")}),
              content("user", {R"({"functionResponse":{"name":"f","response":[1]}})"})});
  const Linted linted = lintWithEdits(body);
  EXPECT_EQ(linesOf(body, linted),
            (Lines{"role.invalid: \"assistant\" -> \"model\"",
                   "response.not_object:  -> {\"output\":  -> }", "response.orphan:"}));
  EXPECT_EQ(applied(body, linted.edits), linted.repaired->body.text());
}

TEST(Edits, OfPartsThatMoveAreThoseOfOneFinding) {
  const std::string body =
      bodyOf({user(), content("model", {call("f", "1"), unsignedCall("g", "2")}),
              content("user", {result("f", "1")}), content("user", {result("g", "2")})});
  const Linted linted = lintWithEdits(body);
  ASSERT_FALSE(linted.findings.empty());
  EXPECT_NE(linted.findings[0].fix, 0U);
  for (const catalogue::Finding& finding : linted.findings)
    EXPECT_EQ(finding.fix, linted.findings[0].fix);
  // The second result moves behind the first one, and its Content goes.
  ASSERT_EQ(linted.edits.size(), 2U);
  EXPECT_EQ(linted.edits[0].text, "," + result("g", "2"));
  EXPECT_EQ(linted.edits[1].text, "");
  EXPECT_EQ(applied(body, linted.edits), linted.repaired->body.text());
}

TEST(Edits, OfFaultsThatTouchBelongTogether) {
  const std::string body = bodyOf({content("user", {"{}", "{}", text("a"), "{}"})});
  const Linted linted = lintWithEdits(body);
  ASSERT_EQ(linted.findings.size(), 3U);
  EXPECT_EQ(linted.findings[0].fix, linted.findings[1].fix);
  EXPECT_NE(linted.findings[0].fix, linted.findings[2].fix);
  EXPECT_EQ(linted.edits.size(), 2U);
}

TEST(Edits, OfWhatARepairRevealsBelongToTheFindingAtItsPlace) {
  // The lost result gets the id of its call only after the role has made it a step.
  const std::string body =
      bodyOf({user(), content("assistant", {call("f", "1")}), content("user", {result("f")})});
  const Linted linted = lintWithEdits(body);
  EXPECT_EQ(applied(body, linted.edits), linted.repaired->body.text());
  for (const TextEdit& edit : linted.edits) {
    const bool isListed =
        std::any_of(linted.findings.begin(), linted.findings.end(),
                    [&](const catalogue::Finding& each) { return each.fix == edit.fix; });
    EXPECT_TRUE(isListed) << edit.text;
  }
}

TEST(Edits, OfErrorsThatEndWithAnotherOneAreItsEdits) {
  std::string parts;
  for (int i = 0; i < 300; ++i) parts += "{},";
  const std::string body = R"({"contents":[{"role":"user","parts":[)" + parts + text("a") + "]}]}";
  const Linted linted = lintWithEdits(body);
  EXPECT_EQ(linted.edits.size(), 1U);
  for (const catalogue::Finding& finding : linted.findings)
    EXPECT_EQ(finding.fix, linted.edits[0].fix);
}

TEST(Edits, OfWhatOnlyGooglesParserTakesAreThose) {
  const std::string body = R"({'contents':[{"role":"user","parts":[{"text":"a"},]}]})";
  const Linted linted = lintWithEdits(body);
  EXPECT_EQ(linesOf(body, linted),
            (Lines{"json.lenient: 'contents' -> \"contents\"", "json.lenient: , -> "}));
}

TEST(Edits, OfSinglesNeedTheirBrackets) {
  const std::string body =
      R"({"contents":{"role":"ai","parts":{"text":"a","thoughtSignature":"!"}}})";
  const Linted linted = lintWithEdits(body);
  EXPECT_EQ(applied(body, linted.edits), linted.repaired->body.text());
  for (const TextEdit& edit : linted.edits) EXPECT_EQ(edit.fix, linted.edits[0].fix);
}

TEST(Edits, AreNoneForWhatIsRightOrNeedsADecision) {
  EXPECT_TRUE(lintWithEdits(bodyOf({user()})).edits.empty());
  const Linted linted = lintWithEdits(bodyOf({content("robot", {text("a")})}));
  EXPECT_EQ(linted.findings.size(), 1U);
  EXPECT_EQ(linted.findings[0].fix, 0U);
  EXPECT_TRUE(linted.edits.empty());
}

TEST(Edits, OfARepairThatWouldReadTooMuchAreNone) {
  const std::string body = bodyOf({content("assistant", {text("a")})});
  EXPECT_TRUE(lintWithEdits(body, {false, 5}).edits.empty());
}

}  // namespace
}  // namespace strata::repair
