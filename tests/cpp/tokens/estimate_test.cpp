#include "tokens/estimate.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::tokens {
namespace {

uint32_t ofContent(const std::string& parts) {
  const test::Json content(R"({"role":"user","parts":)" + parts + "}");
  return estimateContent(content.root());
}

uint32_t ofJson(const std::string& json) {
  const test::Json value(json);
  return static_cast<uint32_t>(measure(value.root(), MediaCount::kFlat).sum());
}

TEST(Estimate, CountsAsciiAndOtherTextDifferently) {
  EXPECT_EQ(estimateText(""), 0);
  EXPECT_EQ(estimateText("abcdefgh"), 2);
  EXPECT_EQ(estimateText("\u00e9"), 1.5);
  EXPECT_EQ(estimateText("\u20ac"), 1.5);
  EXPECT_EQ(estimateText("\U0001F600"), 3);  // two UTF-16 units
}

// The ASCII scan reads whole words, so the result must not depend on the length of the ASCII runs.
TEST(Estimate, CountsTheSameAtEveryAlignment) {
  for (size_t front = 0; front < 20; ++front) {
    for (size_t behind = 0; behind < 20; ++behind) {
      const std::string text =
          std::string(front, 'a') + "\u00e9\U0001F600\u20ac" + std::string(behind, 'z');
      EXPECT_EQ(estimateText(text), static_cast<double>(front + behind) * 0.25 + 4 * 1.5) << text;
    }
  }
}

TEST(Estimate, CountsTextThatEndsInsideACharacter) {
  EXPECT_EQ(estimateText("abcd\xF0\x9F"), 4 * 0.25 + 1.5);
}

TEST(Estimate, CountsLongTextAsShortOne) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "\u00e9";
  EXPECT_EQ(estimateText(text), 150000);
  EXPECT_EQ(estimateText(text + "\u00e9"), 150001.5);
}

TEST(Estimate, CountsAnEscapeAsTheCharacterItEncodes) {
  EXPECT_EQ(ofContent(R"([{"text":"\u0061\u0062\u0063\u0064"}])"), 1U);
  EXPECT_EQ(ofContent(R"([{"text":"\ud83d\ude00"}])"), 3U);
}

TEST(Estimate, CountsMediaByKindInEitherSpelling) {
  EXPECT_EQ(ofContent(R"([{"inlineData":{"mimeType":"image/png","data":"AA"}}])"), 3000U);
  EXPECT_EQ(ofContent(R"([{"inline_data":{"mime_type":"image/png","data":"AA"}}])"), 3000U);
  EXPECT_EQ(ofContent(R"([{"file_data":{"mime_type":"application/pdf"}}])"), 25800U);
}

// The length of a video or an audio text follows from its bytes: 125,000 and 16,000 in a second.
TEST(Estimate, CountsMediaByItsLengthForAModel) {
  const auto measured = [](const std::string& type, size_t bytes, MediaCount count) {
    const std::string data(bytes / 3 * 4, 'A');
    const test::Json content(R"({"role":"user","parts":[{"inlineData":{"mimeType":")" + type +
                             R"(","data":")" + data + "\"}}]}");
    return measure(content.root(), count).sum();
  };
  const auto near = [](double tokens) { return tokens * 0.01; };
  // "Media resolution", https://ai.google.dev/gemini-api/docs/media-resolution: 70 tokens for a
  // frame of video by default. "Token counting", https://ai.google.dev/gemini-api/docs/tokens: 263
  // tokens for a second of video and 32 for one of audio.
  EXPECT_NEAR(measured("video/mp4", 3 * 125000, MediaCount::kGemini3), 3 * 70, near(210));
  EXPECT_NEAR(measured("video/mp4", 3 * 125000, MediaCount::kGemini2), 3 * 263, near(789));
  EXPECT_NEAR(measured("audio/mp3", 30 * 16000, MediaCount::kGemini3), 30 * 32, near(960));
}

// The same pages: 258 tokens for an image, or 1,120.
TEST(Estimate, CountsTheImageOfAContentForAModel) {
  const test::Json content(R"({"parts":[{"inlineData":{"mimeType":"image/png","data":"AA"}}]})");
  EXPECT_EQ(estimateContentGemini2(content.root()), 258U);
  EXPECT_EQ(estimateContentGemini3(content.root()), 1120U);
}

TEST(Estimate, CountsMediaInsideAFunctionResponse) {
  const std::string image = R"({"inlineData":{"mimeType":"image/png","data":"AA"}})";
  EXPECT_GE(ofContent(R"([{"functionResponse":{"name":"f","parts":[)" + image + "]}}]"), 3000U);
}

TEST(Estimate, TakesNullForAnUnsetField) {
  const std::string result = R"("functionResponse":{"name":"f","response":{"a":"bc"}}})";
  const uint32_t tokens = ofContent("[{" + result + "]");
  EXPECT_GT(tokens, 0U);
  for (const char* name : {"text", "inlineData", "fileData", "inline_data"})
    EXPECT_EQ(ofContent("[{\"" + std::string(name) + "\":null," + result + "]"), tokens) << name;
  EXPECT_EQ(ofContent(R"([{"functionResponse":null,"executableCode":{"code":"abcdefgh"}}])"), 15U);
}

TEST(Estimate, AcceptsAContentAnArrayOrAnyJson) {
  const std::string content = R"({"parts":[{"text":"abcdefgh"}]})";
  EXPECT_EQ(ofJson(content), 2U);
  EXPECT_EQ(ofJson("[" + content + "," + content + "]"), 4U);
  EXPECT_EQ(ofJson(R"({"some":"thing..."})"), 4U);
}

}  // namespace
}  // namespace strata::tokens
