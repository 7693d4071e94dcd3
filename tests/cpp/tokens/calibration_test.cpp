#include "tokens/calibration.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::tokens {
namespace {

TEST(Calibration, LearnsEachKindFromTotalCounts) {
  Calibration calibration;
  for (int i = 0; i < 200; ++i) {
    const Measure mixed{100.0 + 37 * (i % 5), 60.0 + 53 * (i % 7), 10, 0};
    learn(calibration, mixed, mixed.text * 1.4 + mixed.data * 0.8 + mixed.media);
  }
  EXPECT_NEAR(calibration.text, 1.4, 0.05);
  EXPECT_NEAR(calibration.data, 0.8, 0.05);
  EXPECT_NEAR(corrected({1000, 0, 5, 0}, calibration), 1405, 50);
}

TEST(Calibration, RecoversFromAnOutlier) {
  Calibration calibration;
  learn(calibration, {10, 0, 0, 0}, 100000);
  EXPECT_LE(calibration.text, 4);
  for (int i = 0; i < 60; ++i) learn(calibration, {100, 0, 0, 0}, 110);
  EXPECT_NEAR(calibration.text, 1.1, 0.05);
}

TEST(Calibration, IgnoresCountsItCannotLearnFrom) {
  Calibration calibration;
  learn(calibration, {0, 0, 300, 0}, 260);
  learn(calibration, {100, 0, 0, 0}, 0);
  EXPECT_EQ(calibration.seen, 0);
  EXPECT_EQ(calibration.text, 1);
}

TEST(Calibration, EstimatesThoughtsButDoesNotLearnFromThem) {
  const test::Json content(
      R"({"parts":[{"thought":true,"text":"Hm, let me think."},{"text":"A hundred and one."}]})");
  const Measure measured = measure(content.root(), MediaCount::kGemini3);
  EXPECT_EQ(measured.text, 18 * 0.25);
  EXPECT_EQ(measured.thoughts, 17 * 0.25);
  Calibration calibration;
  learn(calibration, measured, measured.text);
  EXPECT_EQ(calibration.text, 1);
  EXPECT_EQ(corrected(measured, calibration), measured.sum());
}

TEST(Media, CountsByGenerationAndResolution) {
  const auto tokens = [](const std::string& part, MediaCount count) {
    const test::Json content("{\"parts\":[" + part + "]}");
    return measure(content.root(), count).media;
  };
  const std::string image = R"("inlineData":{"mimeType":"image/png","data":"AA"})";
  const auto at = [&](const std::string& level) {
    return "{" + image + R"(,"mediaResolution":{"level":"MEDIA_RESOLUTION_)" + level + "\"}}";
  };
  EXPECT_EQ(tokens("{" + image + "}", MediaCount::kFlat), 3000);
  EXPECT_EQ(tokens("{" + image + "}", MediaCount::kGemini2), 258);
  EXPECT_EQ(tokens("{" + image + "}", MediaCount::kGemini3), 1120);
  EXPECT_EQ(tokens(at("LOW"), MediaCount::kGemini3), 280);
  EXPECT_EQ(tokens(at("MEDIUM"), MediaCount::kGemini3), 560);
  EXPECT_EQ(tokens(at("ULTRA_HIGH"), MediaCount::kGemini3), 2240);
  const std::string sound(21334, 'A');  // a second
  EXPECT_NEAR(tokens(R"({"inlineData":{"mimeType":"audio/mp3","data":")" + sound + "\"}}",
                     MediaCount::kGemini3),
              32, 0.1);
  EXPECT_EQ(
      tokens(R"({"inlineData":{"mimeType":"application/pdf","data":"AA"}})", MediaCount::kGemini3),
      560);
}

}  // namespace
}  // namespace strata::tokens
