#include "catalogue/finding.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::catalogue {
namespace {

using test::Json;

class FindingTest : public testing::Test {
 protected:
  Target target(std::string_view model, gemini::Backend backend = gemini::Backend::kGemini,
                bool strict = false) {
    return {&catalogue_, &catalogue_.model(model), backend, strict};
  }

  static std::string diagnosticOf(const Finding& finding, const Target& target,
                                  int32_t offset = 0) {
    json::Writer out;
    writeDiagnostic(out, finding, target, offset);
    return out.take();
  }

  Catalogue catalogue_;
};

TEST_F(FindingTest, SeverityDependsOnModelBackendAndCap) {
  Finding missing{Rule::kSignatureMissing};
  EXPECT_EQ(target("gemini-2.5-pro").severity(missing), Severity::kOff);
  EXPECT_EQ(target("gemini-3-pro").severity(missing), Severity::kError);
  missing.severityCap = Severity::kWarning;
  EXPECT_EQ(target("gemini-3-pro").severity(missing), Severity::kWarning);
  const Finding empty{Rule::kTextEmpty};
  EXPECT_EQ(target("gemini-3-pro").severity(empty), Severity::kInfo);
  EXPECT_EQ(target("gemini-3-pro", gemini::Backend::kVertex).severity(empty), Severity::kError);
}

TEST_F(FindingTest, StrictRowsAreErrorsForAStrictTargetOnly) {
  const Finding finding{Rule::kResponseNotFollowedByModel};
  EXPECT_EQ(target("gemini-3-pro").severity(finding), Severity::kInfo);
  EXPECT_EQ(target("gemini-3-pro", gemini::Backend::kGemini, true).severity(finding),
            Severity::kError);
  const Finding other{Rule::kTurnFirstNotUser};
  EXPECT_EQ(target("gemini-3-pro", gemini::Backend::kGemini, true).severity(other),
            Severity::kWarning);
}

TEST_F(FindingTest, NamesTheLimitOfTextsThatAreNotRead) {
  const Finding large = toFinding(Error{"size.too_large", 0, "", "more than 512 MiB"}, catalogue_);
  json::Writer out;
  writeDiagnostic(out, large, target("gemini-3-pro"));
  EXPECT_NE(out.text().find("has at least 536870912 bytes; the limit is 536870912."),
            std::string::npos)
      << out.text();
  EXPECT_EQ(out.text().find("upstream"), std::string::npos);
}

TEST_F(FindingTest, WritesThePathAndReplacesPlaceholders) {
  Finding finding{Rule::kSignatureMissing, 2, 1};
  finding.arg1 = "get\"weather";
  finding.arg2 = "3";
  const Json report(diagnosticOf(finding, target("gemini-3-pro"), 1));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.root().find("code").text(), "signature.missing");
  EXPECT_EQ(report.root().find("severity").text(), "error");
  EXPECT_EQ(report.root().find("path").text(), "/contents/3/parts/1");
  const std::string upstream = report.root().find("upstream").text();
  EXPECT_NE(upstream.find("`default_api:get\"weather` , position 3."), std::string::npos);
  EXPECT_NE(report.root().find("fix").text(), "");
}

TEST_F(FindingTest, UpstreamTextsUseIndexesOfTheBody) {
  const Finding finding{Rule::kPartNoData, 4, 2};
  const Json report(diagnosticOf(finding, target("gemini-3-pro"), -3));
  EXPECT_NE(report.root().find("upstream").text().find("contents[1].parts[2].data"),
            std::string::npos);
}

TEST_F(FindingTest, ReplacesPlaceholdersOnlyOnce) {
  Finding finding{Rule::kFieldUnknown, 0};
  finding.arg1 = "{arg2}";
  finding.arg2 = "{arg1}";
  const Json report(diagnosticOf(finding, target("gemini-3-pro")));
  EXPECT_EQ(report.root().find("message").text(), "{arg2} is not a field of this object.{arg1}");
}

TEST_F(FindingTest, KeepsOtherBraces) {
  const Finding finding{Rule::kResponseNotObject, 0, 0};
  const Json report(diagnosticOf(finding, target("gemini-3-pro")));
  EXPECT_EQ(report.root().find("fix").text(), "wrap the value as {\"output\": …}");
  Finding name{Rule::kCacheNameInvalid};
  name.arg1 = "c1";
  const Json named(diagnosticOf(name, target("gemini-3-pro")));
  EXPECT_EQ(named.root().find("message").text(),
            "\"c1\" is not the name of a CachedContent; use cachedContents/{id}.");
}

TEST_F(FindingTest, FindingsAboutOptionsHaveNoUpstreamTextAndNoFix) {
  Finding finding{Rule::kFieldUnknown};
  finding.arg1 = "txt";
  const auto member = [&](std::string_view name) {
    const Json report(diagnosticOf(finding, target("gemini-3-pro")));
    return report.root().find(name).text();
  };
  EXPECT_NE(member("upstream"), "");
  EXPECT_NE(member("fix"), "");
  finding.aboutOptions = true;
  EXPECT_EQ(member("upstream"), "");
  EXPECT_EQ(member("fix"), "");
}

TEST_F(FindingTest, MessagesNameTheInvalidValue) {
  const auto messageOf = [&](std::string path) {
    const Finding finding =
        toFinding({"field.invalid", 0, std::move(path), "a string"}, catalogue_);
    const Json report(diagnosticOf(finding, target("gemini-3-pro")));
    return report.root().find("message").text();
  };
  EXPECT_EQ(messageOf("/models/0/id"), "id must be a string.");
  EXPECT_EQ(messageOf("/0"), "the value at /0 must be a string.");
  EXPECT_EQ(messageOf(""), "the value must be a string.");
}

TEST_F(FindingTest, InvalidJsonHasAMessageAndAnUpstreamText) {
  const Finding finding = toFinding(json::Tape::read("{\"a\":}").error(), catalogue_);
  const Json report(diagnosticOf(finding, target("gemini-3-pro")));
  EXPECT_EQ(report.root().find("message").text(), "Invalid JSON: expected a value at byte 5.");
  EXPECT_EQ(report.root().find("upstream").text(), "Invalid JSON payload received.");
}

TEST_F(FindingTest, InvalidJsonOfABodyHasLineAndColumn) {
  const std::string text = "{\n  \"a\":}";
  const Finding finding = toFinding(json::Tape::read(text).error(), catalogue_, text);
  const Json report(diagnosticOf(finding, target("gemini-3-pro")));
  EXPECT_EQ(report.root().find("message").text(),
            "Invalid JSON: expected a value in line 2, column 7 (byte 8).");
  EXPECT_EQ(report.root().find("range").bytes(), "[8,8]");
}

TEST_F(FindingTest, ConvertsReadErrorsToFindings) {
  const auto read = json::Tape::read(R"({"contents":[{"a":1,"a":2}]})");
  ASSERT_FALSE(read);
  const Finding finding = toFinding(read.error(), catalogue_);
  EXPECT_EQ(finding.rule, Rule::kJsonDuplicateKey);
  EXPECT_EQ(finding.path, "/contents/0/a");
}

Finding findingOf(Rule rule, Severity severityCap = Severity::kError) {
  Finding finding{rule};
  finding.severityCap = severityCap;
  return finding;
}

TEST(Counted, SaysOneOrSeveral) {
  EXPECT_EQ(counted(1, "functionResponse"), "1 functionResponse");
  EXPECT_EQ(counted(0, "functionCall"), "0 functionCalls");
  EXPECT_EQ(counted(2, "functionCall"), "2 functionCalls");
}

TEST(FindingsBound, KeepsTheFirstOfEachGroupAndCountsTheOthers) {
  Findings findings;
  for (int i = 0; i < 300; ++i) {
    findings.push_back(findingOf(Rule::kTextEmpty, Severity::kInfo));
    findings.back().path = "/" + std::to_string(i);
    findings.push_back(findingOf(Rule::kPartNoData));
  }
  // An error comes after very many infos of its own rule.
  findings.push_back(findingOf(Rule::kTextEmpty));
  ASSERT_EQ(findings.size(), 201U);
  uint32_t all = 0;
  for (const Finding& finding : findings) all += 1 + finding.more;
  EXPECT_EQ(all, 601U);
  EXPECT_EQ(findings[198].path, "/99");
  EXPECT_EQ(findings[198].more, 200U);
  EXPECT_EQ(findings[199].more, 200U);
  EXPECT_EQ(findings[200].severityCap, Severity::kError);
}

TEST(FindingsBound, KeepsOneOfEachGroupOnceThereAreVeryMany) {
  Findings findings;
  const auto addMany = [&findings](int rule) {
    for (int i = 0; i < 150; ++i) findings.push_back(findingOf(static_cast<Rule>(rule)));
  };
  for (int rule = 0; rule < 40; ++rule) addMany(rule);
  // Ten groups of 100, then 30 of one.
  EXPECT_EQ(findings.size(), Findings::kMost + 30);
  EXPECT_EQ(findings.back().rule, static_cast<Rule>(39));
  EXPECT_EQ(findings.back().more, 149U);
}

TEST(FindingsBound, FiltersWhatItCountsAsWell) {
  Findings findings;
  for (int i = 0; i < 150; ++i) {
    findings.push_back(findingOf(Rule::kTextEmpty));
    findings.push_back(findingOf(Rule::kPartNoData));
  }
  findings.filter([](const Finding& finding) { return finding.rule == Rule::kPartNoData; });
  EXPECT_EQ(findings.size(), Findings::kMostPerGroup);
  EXPECT_EQ(findings.back().more, 50U);
  Findings others;
  others.push_back(findingOf(Rule::kTextEmpty));
  others.append(findings);
  others.append(findings);
  ASSERT_EQ(others.size(), 101U);
  EXPECT_EQ(others.back().more, 200U);
  EXPECT_TRUE(others.isFull(findingOf(Rule::kPartNoData)));
  EXPECT_FALSE(others.isFull(findingOf(Rule::kPartNoData, Severity::kInfo)));
}

TEST(FindingsBound, IsLiftedForAllOrOneRule) {
  Findings all = Findings::unbounded();
  Findings one = Findings::unbounded(Rule::kTextEmpty);
  for (int i = 0; i < 2000; ++i) {
    for (Findings* each : {&all, &one}) {
      each->push_back(findingOf(Rule::kPartNoData));
      each->push_back(findingOf(Rule::kTextEmpty));
    }
  }
  EXPECT_EQ(all.size(), 4000U);
  EXPECT_EQ(one.size(), 2000U);
  EXPECT_EQ(one.back().more, 0U);
}

TEST_F(FindingTest, WritesHowManyMoreThereAre) {
  Finding finding{Rule::kPartNoData, 0, 1};
  EXPECT_EQ(diagnosticOf(finding, target("gemini-3-pro")).find("more"), std::string::npos);
  finding.more = 41;
  const Json diagnostic(diagnosticOf(finding, target("gemini-3-pro")));
  EXPECT_EQ(diagnostic.root().find("more").integer(0), 41);
}

}  // namespace
}  // namespace strata::catalogue
