// Tests the rows of models.json by time and backend. Each test names the sources of its facts;
// their URLs are in models.json and docs/models.md.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "catalogue/catalogue.h"
#include "support/cases.h"
#include "support/json_file.h"

namespace strata::catalogue {
namespace {

using gemini::Backend;
using test::Json;

constexpr uint8_t kLowToHigh = 0b01110;
constexpr uint8_t kMinimalToHigh = 0b01111;
constexpr uint8_t kLowToXhigh = 0b11110;
constexpr uint8_t kMinimalAndHigh = 0b01001;

Service at(std::string_view date, Backend backend = Backend::kGemini) {
  return {backend, dayOf(std::string(date) + "T00:00:00Z", 0)};
}

class Models : public testing::Test {
 protected:
  const ModelRow& row(std::string_view name, std::string_view date = "2026-11-22",
                      Backend backend = Backend::kGemini) const {
    return catalogue_.model(name, at(date, backend));
  }
  std::string_view servedBy(std::string_view name, std::string_view date,
                            Backend backend = Backend::kGemini) const {
    return catalogue_.resolve(name, at(date, backend)).name;
  }
  void expectPrice(const ModelRow& row, const Price& price) const {
    EXPECT_EQ(row.price.input, price.input) << row.id;
    EXPECT_EQ(row.price.cached, price.cached) << row.id;
    EXPECT_EQ(row.price.storage, price.storage) << row.id;
    EXPECT_EQ(row.price.output, price.output) << row.id;
  }
  Catalogue catalogue_;
};

TEST_F(Models, HoldTheRowsOfTheReleaseDateWithoutATime) {
  EXPECT_EQ(kReleaseDay, dayOf("2026-11-27T00:00:00Z", 0));
  EXPECT_EQ(Service().day, kReleaseDay);
  EXPECT_EQ(&catalogue_.model("gemini-4-carbon"), &row("gemini-4-carbon"));
}

TEST_F(Models, BeginADayAtMidnightUtc) {
  EXPECT_EQ(dayOf("2026-11-30T23:59:59.999Z", 0) + 1, dayOf("2026-12-01T00:00:00Z", 0));
  EXPECT_EQ(dayOf("2026-12-01T00:30:00+01:00", 0), dayOf("2026-11-30T00:00:00Z", 0));
  EXPECT_EQ(dayOf("1960-01-01T00:00:00Z", 7), 0);
  EXPECT_EQ(dayOf("9999-01-01T00:00:00Z", 7), 65535);
  EXPECT_EQ(dayOf("2026-12-01", 7), 7);
}

// Carbon prices (docs.laozhang.ai), docs.apiyi.com.
TEST_F(Models, ChangeThePricesOf4CarbonOnDecember1) {
  expectPrice(row("gemini-4-carbon", "2026-11-10"), {2, 0.1, 0, 10});
  expectPrice(row("gemini-4-carbon", "2026-11-30"), {2, 0.1, 0, 10});
  expectPrice(row("gemini-4-carbon", "2026-12-01"), {4, 0.2, 0, 20});
  expectPrice(row("gemini-4-carbon", "2027-06-01"), {4, 0.2, 0, 20});
}

// Hydrogen guide (docs.cloud.google.com).
TEST_F(Models, KnowTheLevelsPricesAndCachingOf4Hydrogen) {
  const ModelRow& hydrogen = row("gemini-4-hydrogen");
  expectPrice(hydrogen, {1.5, 0.075, 0, 7.5});
  EXPECT_EQ(hydrogen.levels, kLowToXhigh);
  EXPECT_EQ(hydrogen.implicitMinimum, 4096U);
  EXPECT_FALSE(hydrogen.explicitCache);
}

// Neon guide; Neon migration (dev.to/aihubmix); docs.laozhang.ai.
TEST_F(Models, KnowTheLevelsAndPricesOf4Neon) {
  const ModelRow& neon = row("gemini-4-neon");
  EXPECT_EQ(neon.id, "gemini-4-neon");
  EXPECT_EQ(neon.levels, kLowToXhigh);
  EXPECT_EQ(neon.price.input, 3);
  EXPECT_EQ(neon.price.output, 15);
  EXPECT_EQ(neon.outputTokens, 65536U);
  EXPECT_FALSE(neon.takesBudget());
}

// Neon migration; the thinking page.
TEST_F(Models, KnowTheLevelOfARequestWithoutOne) {
  const auto levelOf = [this](std::string_view name) {
    const uint8_t level = row(name, "2026-10-01").defaultLevel;
    return level < kThinkingOff ? kThinkingLevels[level] : level == kThinkingOff ? "OFF" : "";
  };
  EXPECT_EQ(levelOf("gemini-4-neon"), "HIGH");
  EXPECT_EQ(levelOf("gemini-4-hydrogen"), "HIGH");
  EXPECT_EQ(levelOf("gemini-4-argon"), "MEDIUM");
  EXPECT_EQ(levelOf("gemini-3.8-flash"), "MEDIUM");
  EXPECT_EQ(levelOf("gemini-3.5-flash-lite"), "MINIMAL");
  EXPECT_EQ(levelOf("gemini-2.5-flash-lite"), "OFF");
  EXPECT_EQ(levelOf("gemini-4-carbon"), "");
}

// Deprecations page of November; recorded a526523ed610a22f; public code.
TEST_F(Models, KnowWhatServesThem) {
  EXPECT_EQ(row("gemini-3.8-live").api, Api::kLive);
  EXPECT_EQ(row("gemini-live-2.5-flash-preview").api, Api::kLive);
  EXPECT_EQ(row("gemini-omni-1.1-flash-preview").api, Api::kInteractions);
  EXPECT_EQ(row("deep-research-pro-preview-12-2025").api, Api::kInteractions);
  EXPECT_EQ(row("gemini-embedding-001").api, Api::kEmbed);
  EXPECT_EQ(row("gemini-3.8-flash-tts").api, Api::kGenerate);
  EXPECT_EQ(row("gemini-nano-banana-2.1").output, Output::kImage);
  EXPECT_EQ(row("deep-research-pro-preview-12-2025").retired, at("2026-10-23").day);
}

TEST_F(Models, KnowTheNameThatATypingErrorMeans) {
  EXPECT_EQ(catalogue_.nearestModel("gemini-2.5-flsh"), "gemini-2.5-flash");
  EXPECT_EQ(catalogue_.nearestModel("models/gemini-4-neno"), "gemini-4-neon");
  EXPECT_EQ(catalogue_.nearestModel("gemini-flash-lite-lates"), "gemini-flash-lite-latest");
  for (const char* name : {"gemini-4-neon", "gemini-4-neon-001", "gemini-4-xenon", "", "x"}) {
    EXPECT_EQ(catalogue_.nearestModel(name), "") << name;
  }
}

TEST_F(Models, TakeARowOfTheCallerForAName) {
  test::Json options(R"({"models":[{"id":"gemini-4-neom"}]})");
  json::OptionsReader reader(json::Given(options.root()));
  catalogue_.addModels(reader);
  EXPECT_EQ(catalogue_.nearestModel("gemini-4-neom"), "");
}

// Caching page (ai.google.dev): "Gemini 4 Argon and later models".
TEST_F(Models, HaveNoExplicitCacheFrom4ArgonOn) {
  for (const char* name : {"gemini-4-argon", "gemini-4-argon-001", "gemini-4-carbon",
                           "gemini-4-hydrogen", "gemini-4-neon", "gemini-4.1-pro", "gemini-5"}) {
    for (const Backend backend : {Backend::kGemini, Backend::kVertex}) {
      EXPECT_FALSE(row(name, "2026-11-22", backend).explicitCache) << name;
      EXPECT_EQ(row(name, "2026-11-22", backend).generation, Generation::k4) << name;
    }
  }
  EXPECT_TRUE(row("gemini-3.8-flash").explicitCache);
}

// Caching page of October 13; Argon guide and litellm discussion 46238.
TEST_F(Models, KnowTheImplicitMinimumsOf4ArgonByBackend) {
  EXPECT_EQ(row("gemini-4-argon").implicitMinimum, 4096U);
  EXPECT_EQ(row("gemini-4-argon", "2026-11-22", Backend::kVertex).implicitMinimum, 6144U);
  EXPECT_EQ(row("gemini-4-argon", "2026-12-02", Backend::kVertex).implicitMinimum, 6144U);
  EXPECT_FALSE(row("gemini-4-argon").takesBudget());
  EXPECT_EQ(row("gemini-4-argon").levels, kLowToHigh);
}

// TokenMeter 0.13.1.
TEST_F(Models, ChangeThePricesOf4ArgonOnDecember1) {
  expectPrice(row("gemini-4-argon", "2026-11-30"), {2, 0.1, 0, 10});
  expectPrice(row("gemini-4-argon", "2026-12-01"), {4, 0.2, 0, 20});
  expectPrice(row("gemini-4-argon", "2026-12-01", Backend::kVertex), {4, 0.2, 0, 20});
}

// Changelog of October 8.
TEST_F(Models, Route35FlashAnd37FlashSinceOctober8) {
  EXPECT_EQ(servedBy("gemini-3.5-flash", "2026-10-07"), "gemini-3.5-flash");
  EXPECT_EQ(row("gemini-3.5-flash", "2026-10-07").generation, Generation::k3);
  EXPECT_EQ(servedBy("gemini-3.5-flash", "2026-10-08"), "gemini-3.6-flash");
  EXPECT_EQ(row("models/gemini-3.5-flash", "2026-10-08").generation, Generation::k3_6);
  expectPrice(row("gemini-3.5-flash", "2026-10-08"), {1.5, 0.15, 1, 7.5});
  EXPECT_EQ(servedBy("gemini-3.7-flash", "2026-10-07"), "gemini-3.7-flash");
  EXPECT_EQ(servedBy("gemini-3.7-flash", "2026-10-08"), "gemini-3.8-flash");
  EXPECT_EQ(row("gemini-3.7-flash", "2026-10-08").generation, Generation::k3_8);
  EXPECT_EQ(servedBy("gemini-3.7-flash-001", "2026-10-08"), "gemini-3.8-flash");
  // Other models whose names only begin like these are not routed.
  EXPECT_EQ(servedBy("gemini-3.5-flash-lite", "2026-10-08"), "gemini-3.5-flash-lite");
}

// Deprecations page of November 10, read by dev.to/aideprecations.
TEST_F(Models, Route25OnTheGeminiApiFromDecember1) {
  EXPECT_EQ(servedBy("gemini-2.5-pro", "2026-11-30"), "gemini-2.5-pro");
  EXPECT_EQ(servedBy("gemini-2.5-pro", "2026-12-01"), "gemini-3.8-flash");
  EXPECT_EQ(servedBy("gemini-2.5-flash", "2026-11-30"), "gemini-2.5-flash");
  EXPECT_EQ(servedBy("gemini-2.5-flash", "2026-12-01"), "gemini-3.5-flash-lite");
  EXPECT_EQ(row("gemini-2.5-flash", "2026-12-01").generation, Generation::k3_6);
  EXPECT_EQ(servedBy("gemini-2.5-flash-lite", "2026-12-01"), "gemini-2.5-flash-lite");
  EXPECT_EQ(servedBy("gemini-2.5-flash-image", "2026-12-01"), "gemini-2.5-flash-image");
  for (const char* name : {"gemini-2.5-pro", "gemini-2.5-flash"}) {
    EXPECT_EQ(servedBy(name, "2026-12-01", Backend::kVertex), name);
    EXPECT_EQ(row(name, "2026-12-01", Backend::kVertex).generation, Generation::k2_5);
  }
}

// maragudk/gai#369, a live matrix.
TEST_F(Models, Know35FlashLiteRefusesABudgetOf0) {
  const ModelRow& lite = row("gemini-3.5-flash-lite");
  EXPECT_TRUE(lite.takesBudget());
  EXPECT_EQ(lite.budgetLow, 1);
  EXPECT_FALSE(lite.thinkingOff);
  for (const char* name : {"gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash"}) {
    EXPECT_EQ(row(name, "2026-10-01").budgetLow, 0) << name;
  }
}

// python-genai and litellm sources.
TEST_F(Models, KnowGemmaTakesLevelsButNoBudget) {
  EXPECT_FALSE(row("gemma-4-31b-it").takesBudget());
  EXPECT_EQ(row("gemma-4-31b-it").levels & 1, 1);
}

// maximhq/bifrost#7287.
TEST_F(Models, KnowTheLevelsOf31FlashLiteAndItsImageModel) {
  EXPECT_EQ(row("gemini-3.1-flash-lite-image").levels, kMinimalAndHigh);
  EXPECT_EQ(row("gemini-3.1-flash-lite-image").output, Output::kImage);
  EXPECT_EQ(row("gemini-3.1-flash-lite").levels, kMinimalToHigh);
}

// langchainjs @langchain/google 0.2.15.
TEST_F(Models, KnowTheLevelXhigh) { EXPECT_EQ(kThinkingLevels.back(), "XHIGH"); }

// Recorded exchange 67f83aff94d0ad08; the overview of Vertex AI says 2,048.
TEST_F(Models, SeparateExplicitFromImplicitMinimumsOf25Flash) {
  EXPECT_EQ(row("gemini-2.5-flash").cacheMinimum, 1024U);
  EXPECT_EQ(row("gemini-2.5-flash").implicitMinimum, 2048U);
  EXPECT_EQ(row("gemini-2.5-flash", "2026-11-22", Backend::kVertex).cacheMinimum, 2048U);
  EXPECT_EQ(row("gemini-2.5-pro").cacheMinimum, 2048U);
}

// Recorded exchange t6b0da553d391113; thinking page.
TEST_F(Models, KnowWhichModelsTakeMinimal) {
  for (const char* name : {"gemini-3-flash-preview", "gemini-3.5-flash", "gemini-3.5-flash-lite",
                           "gemini-3.6-flash", "gemini-3.1-flash-lite"}) {
    EXPECT_EQ(row(name, "2026-10-01").levels, kMinimalToHigh) << name;
  }
  for (const char* name : {"gemini-3.1-pro-preview", "gemini-3.7-flash", "gemini-3.8-flash"}) {
    EXPECT_EQ(row(name, "2026-10-01").levels, kLowToHigh) << name;
  }
}

// Pricing page of November 21.
TEST_F(Models, ChangeThePricesOf38FlashWithTheYear) {
  expectPrice(row("gemini-3.8-flash", "2026-12-31"), {0.75, 0.075, 0.5, 3.75});
  expectPrice(row("gemini-3.8-flash", "2027-01-01"), {1.5, 0.15, 1, 7.5});
  // Routes lead to the price of the day.
  expectPrice(row("gemini-2.5-pro", "2027-01-01"), {1.5, 0.15, 1, 7.5});
}

// TTS page; litellm discussion 42776.
TEST_F(Models, KnowSpeechModels) {
  for (const char* name : {"gemini-2.5-flash-preview-tts", "gemini-2.5-pro-preview-tts",
                           "gemini-3.1-flash-tts-preview", "gemini-3.8-flash-tts"}) {
    EXPECT_EQ(row(name).output, Output::kSpeech) << name;
    EXPECT_EQ(row(name).contextTokens, 8192U) << name;
    EXPECT_EQ(row(name).outputTokens, 16384U) << name;
    EXPECT_FALSE(row(name).explicitCache) << name;
  }
}

TEST_F(Models, KnowImageAndEmbeddingModels) {
  for (const char* name : {"gemini-2.5-flash-image", "gemini-3-pro-image-preview",
                           "gemini-3.1-flash-image", "gemini-3.1-flash-lite-image"}) {
    EXPECT_EQ(row(name).output, Output::kImage) << name;
  }
  EXPECT_EQ(row("gemini-embedding-001").output, Output::kEmbedding);
  EXPECT_EQ(row("gemini-3.8-flash").output, Output::kText);
}

// Changelog of February 18, 2026.
TEST_F(Models, KnowWhen20WasShutDown) {
  EXPECT_GT(row("gemini-2.0-flash-001", "2026-05-31").retired, at("2026-05-31").day);
  EXPECT_LE(row("gemini-2.0-flash-001", "2026-06-01").retired, at("2026-06-01").day);
  EXPECT_LE(row("gemini-2.0-flash", "2026-06-01", Backend::kVertex).retired, at("2026-06-01").day);
  EXPECT_EQ(row("gemini-2.5-flash-lite").retired, kNever);
}

// Changelog of January 21, 2026; models page.
TEST_F(Models, FollowTheLatestAliases) {
  EXPECT_EQ(servedBy("gemini-flash-latest", "2025-12-01"), "gemini-2.5-flash");
  EXPECT_EQ(servedBy("gemini-flash-latest", "2026-02-01"), "gemini-3-flash");
  EXPECT_EQ(servedBy("gemini-flash-latest", "2026-11-22"), "gemini-3.8-flash");
  EXPECT_EQ(servedBy("gemini-pro-latest", "2026-02-01"), "gemini-3-pro");
  EXPECT_EQ(servedBy("gemini-pro-latest", "2026-11-22"), "gemini-3.1-pro");
  EXPECT_EQ(catalogue_.resolve("gemini-flash-latest").route, nullptr);
  EXPECT_NE(catalogue_.resolve("gemini-3.5-flash").route, nullptr);
}

TEST_F(Models, AddedRowsKeepDatesAndBackends) {
  const Json json(R"({"models":[{"id":"gemini-4-argon","contextTokens":5},
      {"id":"gemini-3.5-flash","cacheMinimum":7},
      {"id":"mine","thinking":{"levels":["XHIGH"],"budget":false},"output":"speech",
       "implicitCacheMinimum":9,"price":{"input":3,"output":4}}]})");
  json::OptionsReader options(json.root());
  catalogue_.addModels(options);
  ASSERT_TRUE(options.finish());
  EXPECT_EQ(row("gemini-4-argon").contextTokens, 5U);
  expectPrice(row("gemini-4-argon", "2026-12-01"), {4, 0.2, 0, 20});
  EXPECT_EQ(row("gemini-4-argon", "2026-12-01", Backend::kVertex).implicitMinimum, 6144U);
  // An added row ends the route of its id.
  EXPECT_EQ(servedBy("gemini-3.5-flash", "2026-11-22"), "gemini-3.5-flash");
  EXPECT_EQ(row("gemini-3.5-flash").cacheMinimum, 7U);
  EXPECT_EQ(row("gemini-3.5-flash").generation, Generation::k3);
  EXPECT_EQ(row("mine").levels, 0b10000);
  EXPECT_FALSE(row("mine").takesBudget());
  EXPECT_EQ(row("mine").output, Output::kSpeech);
  EXPECT_EQ(row("mine").implicitMinimum, 9U);
  expectPrice(row("mine"), {3, 0, 0, 4});
}

const std::regex kDate("[0-9]{4}-[0-9]{2}-[0-9]{2}");

bool isDate(const std::string& text) { return std::regex_match(text, kDate); }

void expectSources(test::Case row, test::Case sources, const std::string& name) {
  EXPECT_TRUE(isDate(row.find("checked").text())) << name;
  EXPECT_GT(row.find("sources").size(), 0U) << name;
  for (const test::Case title : row.find("sources").elements()) {
    EXPECT_TRUE(sources.find(title.text())) << name << ": " << title.text();
  }
}

TEST(ModelTable, EveryRowNamesItsSources) {
  const test::Cases file = test::readCases("src/catalogue/models.json");
  const test::Case sources = file.root().find("sources");
  const Catalogue catalogue;
  EXPECT_EQ(dayOf(file.root().find("asOf").text() + "T00:00:00Z", 0), kReleaseDay);
  std::set<std::string> ids;
  for (const test::Case row : file.root().find("models").elements()) {
    const std::string id = row.find("id").text();
    EXPECT_TRUE(ids.insert(id).second) << id;
    expectSources(row, sources, id);
  }
  for (const test::Case route : file.root().find("routes").elements()) {
    const std::string name = route.find("name").text();
    expectSources(route, sources, name);
    // Each target has a row of its own.
    EXPECT_EQ(ids.count(route.find("to").text()), 1U) << name;
  }
}

}  // namespace
}  // namespace strata::catalogue
