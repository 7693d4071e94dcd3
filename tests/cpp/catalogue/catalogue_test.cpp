#include "catalogue/catalogue.h"

#include <gtest/gtest.h>

#include <set>

#include "support/cases.h"
#include "support/json_file.h"

namespace strata::catalogue {
namespace {

using test::Json;

// Adds the rows of LoadOptions to a catalogue.
Status add(Catalogue& catalogue, const std::string& given) {
  const Json json(given);
  json::OptionsReader options(json.root());
  catalogue.addModels(options);
  catalogue.addRules(options);
  return options.finish();
}

TEST(Catalogue, FindsEveryRuleByItsCode) {
  const Catalogue catalogue;
  std::set<std::string_view> codes;
  for (int i = 0; i <= static_cast<int>(Rule::kConvertUnsigned); ++i) {
    const auto rule = static_cast<Rule>(i);
    EXPECT_EQ(catalogue.ruleOf(catalogue.rule(rule).code), rule);
    EXPECT_TRUE(codes.insert(catalogue.rule(rule).code).second) << catalogue.rule(rule).code;
  }
  EXPECT_EQ(catalogue.rule(Rule::kSignatureMissing).code, "signature.missing");
  EXPECT_EQ(catalogue.rule(Rule::kResponseCount).code, "response.count");
}

TEST(Catalogue, UsesTheLongestMatchingId) {
  const Catalogue catalogue;
  EXPECT_EQ(catalogue.model("gemini-3-flash").generation, Generation::k3);
  EXPECT_EQ(catalogue.model("gemini-3.5-flash-lite").generation, Generation::k3_6);
  EXPECT_EQ(catalogue.model("gemini-3.8-flash-002").id, "gemini-3.8-flash");
  EXPECT_EQ(catalogue.model("gemini-3.1-pro-preview-customtools").id, "gemini-3.1-pro");
  EXPECT_EQ(catalogue.model("gemini-3.1-flash-image").generation, Generation::k3);
  EXPECT_EQ(catalogue.model("gemini-3-pro-image").generation, Generation::k3);
  EXPECT_EQ(catalogue.model("gemini-2.5-flash-lite").budgetLow, 512);
  EXPECT_EQ(catalogue.model("gemini-2.0-flash").generation, Generation::k2);
}

TEST(Catalogue, ResolvesPathsAndAliases) {
  const Catalogue catalogue;
  EXPECT_EQ(catalogue.model("models/gemini-2.5-pro").id, "gemini-2.5-pro");
  EXPECT_EQ(catalogue.model("projects/p/locations/l/publishers/google/models/gemini-3-flash").id,
            "gemini-3-flash");
  EXPECT_EQ(catalogue.model("gemini-flash-latest").id, "gemini-3.8-flash");
  EXPECT_EQ(catalogue.model("models/gemini-flash-lite-latest").id, "gemini-3.5-flash-lite");
  EXPECT_EQ(catalogue.model("gemini-pro-latest").generation, Generation::k3);
}

TEST(Catalogue, UsesTheNewestRulesForUnknownModels) {
  const Catalogue catalogue;
  for (const char* name : {"gemini-5-xenon", "gemini-4.1-pro", "gemini-4-neon"}) {
    EXPECT_EQ(catalogue.model(name).generation, Generation::k4) << name;
    EXPECT_FALSE(catalogue.model(name).explicitCache) << name;
  }
  // A newer Gemini 3 has the rules of the newest one that is known.
  EXPECT_EQ(catalogue.model("gemini-3.9-flash").generation, Generation::k3_8);
  EXPECT_TRUE(catalogue.model("gemini-3.9-flash").explicitCache);
  // Nothing is known about names that are not Gemini's, so nothing is ruled out.
  for (const char* name : {"mine", ""}) {
    EXPECT_EQ(catalogue.model(name).generation, Generation::k4) << name;
    EXPECT_TRUE(catalogue.model(name).explicitCache) << name;
    EXPECT_EQ(catalogue.model(name).levels, 31) << name;
  }
  EXPECT_EQ(catalogue.model("gemma-4-31b-it").contextTokens, 262144U);
}

TEST(Catalogue, AddedModelsInheritMissingFields) {
  Catalogue catalogue;
  ASSERT_TRUE(
      add(catalogue,
          R"({"models":[{"id":"gemini-2.5-pro-long","contextTokens":2000000,"explicitCache":false,
      "callIds":false,"thinking":{"levels":["MINIMAL"],"off":true}},
      {"id":"mine","generation":"3.6","cacheMinimum":7,"bufferTokens":5}]})"));
  const ModelRow& inherited = catalogue.model("gemini-2.5-pro-long-001");
  EXPECT_EQ(inherited.generation, Generation::k2_5);
  EXPECT_EQ(inherited.contextTokens, 2000000U);
  EXPECT_EQ(inherited.cacheMinimum, 2048U);
  EXPECT_FALSE(inherited.explicitCache);
  EXPECT_FALSE(inherited.callIds);
  EXPECT_TRUE(catalogue.model("gemini-2.5-pro").callIds);
  EXPECT_EQ(inherited.levels, 1);
  EXPECT_TRUE(inherited.thinkingOff);
  EXPECT_EQ(catalogue.model("mine").generation, Generation::k3_6);
  EXPECT_EQ(catalogue.model("mine").bufferTokens, 5);
  EXPECT_EQ(catalogue.model("gemini-2.5-pro").contextTokens, 1048576U);
}

TEST(Catalogue, AddedModelsTakePrecedenceOverRowsAndAliases) {
  Catalogue catalogue;
  ASSERT_TRUE(add(catalogue, R"({"models":[{"id":"gemini-3.8-flash","cacheMinimum":9},
                      {"id":"gemini-pro-latest","generation":"4"}]})"));
  EXPECT_EQ(catalogue.model("gemini-3.8-flash").cacheMinimum, 9U);
  EXPECT_EQ(catalogue.model("gemini-flash-latest").cacheMinimum, 9U);
  EXPECT_EQ(catalogue.model("gemini-pro-latest").generation, Generation::k4);
}

// Each addition of an id once doubled its rows.
TEST(Catalogue, AddsAModelVeryOftenAndKeepsWhatEachAdditionSays) {
  Catalogue catalogue;
  std::string models =
      R"({"id":"mine","contextTokens":5},{"id":"gemini-3.8-flash","callIds":true})";
  for (int i = 0; i < 1000; ++i) models += R"(,{"id":"mine"},{"id":"gemini-3.8-flash"})";
  models += R"(,{"id":"mine","cacheMinimum":7},{"id":"mine-too"})";
  ASSERT_TRUE(add(catalogue, R"({"models":[)" + models + "]}"));
  for (const std::string_view name : {"mine", "mine-too"}) {
    EXPECT_EQ(catalogue.model(name).contextTokens, 5U) << name;
    EXPECT_EQ(catalogue.model(name).cacheMinimum, 7U) << name;
  }
  const Catalogue original;
  for (const Day day : {Day{20'000}, Day{20'500}, Day{30'000}}) {
    for (const auto backend : {gemini::Backend::kGemini, gemini::Backend::kVertex}) {
      const ModelRow& row = catalogue.model("gemini-3.8-flash", {backend, day});
      const ModelRow& known = original.model("gemini-3.8-flash", {backend, day});
      EXPECT_TRUE(row.callIds);
      EXPECT_EQ(row.price.input, known.price.input);
      EXPECT_EQ(row.contextTokens, known.contextTokens);
    }
  }
}

TEST(Catalogue, AddedRulesOverrideSeverities) {
  Catalogue catalogue;
  ASSERT_TRUE(add(catalogue, R"({"rules":[{"code":"text.empty","severity":"warning"},
                      {"code":"signature.missing","severity":"off"}]})"));
  const RuleRow& empty = catalogue.rule(Rule::kTextEmpty);
  EXPECT_EQ(empty.severityFor(gemini::Backend::kGemini, Generation::k4), Severity::kWarning);
  EXPECT_EQ(empty.severityFor(gemini::Backend::kVertex, Generation::k2_5), Severity::kWarning);
  const RuleRow& missing = catalogue.rule(Rule::kSignatureMissing);
  EXPECT_EQ(missing.severityFor(gemini::Backend::kGemini, Generation::k3), Severity::kOff);
}

TEST(Catalogue, AddedRulesMaySetGenerationsBackendsAndUpstreamTexts) {
  Catalogue catalogue;
  ASSERT_TRUE(add(catalogue, R"({"rules":[{"code":"text.empty","severity":{"vertex":{"3":"info"}}},
                      {"code":"call.order","severity":{"2.5":"off","4":"warning"},
                       "upstream":{"vertex":"Calls first."}}]})"));
  const RuleRow& empty = catalogue.rule(Rule::kTextEmpty);
  EXPECT_EQ(empty.severityFor(gemini::Backend::kVertex, Generation::k3), Severity::kInfo);
  EXPECT_EQ(empty.severityFor(gemini::Backend::kVertex, Generation::k3_6), Severity::kError);
  EXPECT_EQ(empty.severityFor(gemini::Backend::kGemini, Generation::k3), Severity::kInfo);
  const RuleRow& order = catalogue.rule(Rule::kCallOrder);
  EXPECT_EQ(order.severityFor(gemini::Backend::kGemini, Generation::k2_5), Severity::kOff);
  EXPECT_EQ(order.severityFor(gemini::Backend::kVertex, Generation::k4), Severity::kWarning);
  EXPECT_EQ(order.severityFor(gemini::Backend::kGemini, Generation::k3_8), Severity::kError);
  EXPECT_EQ(order.upstream[1], "Calls first.");
  EXPECT_NE(order.upstream[0], "Calls first.");
}

TEST(Catalogue, ReportsThePathOfAnInvalidAddedRow) {
  Catalogue catalogue;
  const auto pathOf = [&](const std::string& given) {
    const Status status = add(catalogue, given);
    return status ? "none" : std::string(status.error().code) + " " + status.error().path;
  };
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a"},{"generation":"3"}]})"), "field.invalid /models/1/id");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","generation":"7"}]})"),
            "field.invalid /models/0/generation");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","contextTokens":-1}]})"),
            "field.invalid /models/0/contextTokens");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","callIds":"no"}]})"), "field.invalid /models/0/callIds");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","contextToken":1}]})"),
            "field.unknown /models/0/contextToken");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","price":{"input":"1"}}]})"),
            "field.invalid /models/0/price/input");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","thinking":{"levels":["Low"]}}]})"),
            "field.invalid /models/0/thinking/levels/0");
  EXPECT_EQ(pathOf(R"({"models":[{"id":"a","thinking":{"budget":[9,1]}}]})"),
            "field.invalid /models/0/thinking/budget");
  EXPECT_EQ(pathOf(R"({"rules":[{"code":"no.such","severity":"off"}]})"),
            "field.invalid /rules/0/code");
  EXPECT_EQ(pathOf(R"({"rules":[{"code":"text.empty","severity":"fatal"}]})"),
            "field.invalid /rules/0/severity");
  EXPECT_EQ(pathOf(R"({"rules":[{"code":"text.empty","severity":{"gemini":{"3":"fatal"}}}]})"),
            "field.invalid /rules/0/severity/gemini/3");
  EXPECT_EQ(pathOf(R"({"rules":[{"code":"text.empty","severity":{"5":"off"}}]})"),
            "field.unknown /rules/0/severity/5");
  EXPECT_EQ(pathOf(R"({"rules":[{"code":"text.empty","upstream":5}]})"),
            "field.invalid /rules/0/upstream");
}

TEST(Catalogue, KeepsItsRowsAfterAnInvalidOne) {
  Catalogue catalogue;
  const Severity before = catalogue.rule(Rule::kJsonInvalid).severity[0][0];
  EXPECT_FALSE(add(catalogue, R"({"rules":[{"code":"no.such","severity":"off"}]})"));
  EXPECT_EQ(catalogue.rule(Rule::kJsonInvalid).severity[0][0], before);
}

TEST(Catalogue, EveryRuleHasTextsAndSources) {
  const test::Cases file = test::readCases("src/catalogue/rules.json");
  const Catalogue catalogue;
  size_t rows = 0;
  for (const test::Case row : file.root().find("rules").elements()) {
    const std::string code = row.find("code").text();
    EXPECT_EQ(catalogue.rule(static_cast<Rule>(rows++)).code, code);
    EXPECT_NE(row.find("message").text(), "") << code;
    EXPECT_NE(row.find("explanation").text(), "") << code;
    // src/catalogue/rules.mjs compares the evidence with the severity.
    EXPECT_TRUE(row.find("evidence")) << code;
    EXPECT_GT(row.find("sources").size(), 0U) << code;
  }
  EXPECT_EQ(rows, static_cast<size_t>(Rule::kConvertUnsigned) + 1);
}

}  // namespace
}  // namespace strata::catalogue
