#include "lint/signature.h"

#include <gtest/gtest.h>

#include "support/contents.h"

namespace strata::lint {
namespace {

TEST(Signature, AcceptsBothBase64AlphabetsWithAndWithoutPadding) {
  for (const char* good : {"", "AAAA", "AAA=", "AA==", "AAA", "AA", "-_-_", "+/+/", "Ab4+9v"}) {
    EXPECT_TRUE(isBase64(good)) << good;
  }
  for (const char* bad : {"A", "AAAAA", "A===", "AAA==", "AAAA=", "AA=AAAA", "AA==RXBz", "A A A",
                          "AAA\n", "AA$A", "=", "=="}) {
    EXPECT_FALSE(isBase64(bad)) << bad;
  }
}

TEST(Signature, ChecksLargeDataByItsEndsAndLength) {
  for (size_t size = 0; size < 300; ++size) {
    const std::string digits(size, 'A');
    EXPECT_EQ(looksLikeBase64(digits), isBase64(digits)) << size;
    EXPECT_EQ(looksLikeBase64(digits + "=="), isBase64(digits + "==")) << size;
    EXPECT_FALSE(looksLikeBase64("data:" + digits)) << size;
    EXPECT_FALSE(looksLikeBase64(digits + "...")) << size;
  }
}

TEST(Signature, RecognizesBothPlaceholdersRawAndEncoded) {
  EXPECT_TRUE(isPlaceholder("skip_thought_signature_validator"));
  EXPECT_TRUE(isPlaceholder("context_engineering_is_the_way_to_go"));
  EXPECT_TRUE(isPlaceholder("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="));
  EXPECT_TRUE(isPlaceholder("Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv"));
  EXPECT_FALSE(isPlaceholder(""));
  EXPECT_FALSE(isPlaceholder("skip_thought_signature_validator_"));
}

TEST(Signature, SeverityDependsOnBackendAndModelFamily) {
  const test::Judge judge("gemini-3.8-flash", gemini::Backend::kVertex);
  const auto severity = [&judge](const char* model, const char* backend) {
    return foreignSeverity({model, backend}, judge.target());
  };
  EXPECT_EQ(severity("", ""), catalogue::Severity::kOff);
  EXPECT_EQ(severity("", "vertex"), catalogue::Severity::kOff);
  EXPECT_EQ(severity("", "gemini"), catalogue::Severity::kError);
  EXPECT_EQ(severity("gemini-3.7-flash", "vertex"), catalogue::Severity::kOff);
  EXPECT_EQ(severity("models/gemini-2.5-pro", ""), catalogue::Severity::kWarning);
  EXPECT_EQ(severity("gpt-5", "vertex"), catalogue::Severity::kError);
  EXPECT_EQ(severity("mistral-large", ""), catalogue::Severity::kError);
}

TEST(Signature, OfAnAliasOrAnAgentIsNotForeign) {
  const auto severity = [](const char* target, const char* model, const char* backend) {
    const test::Judge judge(target);
    return foreignSeverity({model, backend}, judge.target());
  };
  EXPECT_EQ(severity("antigravity-preview-05-2026", "antigravity-preview-05-2026", "gemini"),
            catalogue::Severity::kOff);
  EXPECT_EQ(severity("tunedModels/abc", "tunedModels/abc", ""), catalogue::Severity::kOff);
  EXPECT_EQ(severity("my-alias", "my-alias", ""), catalogue::Severity::kOff);
  EXPECT_NE(severity("gemini-3.8-flash", "my-alias", "gemini"), catalogue::Severity::kError);
}

}  // namespace
}  // namespace strata::lint
