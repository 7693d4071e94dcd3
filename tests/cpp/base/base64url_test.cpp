#include "base/base64url.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

std::string write(std::string_view bytes) {
  std::string out;
  appendBase64Url(out, bytes);
  return out;
}

TEST(Base64Url, WritesTheVectorsOfRfc4648) {
  EXPECT_EQ(write(""), "");
  EXPECT_EQ(write("f"), "Zg");
  EXPECT_EQ(write("fo"), "Zm8");
  EXPECT_EQ(write("foo"), "Zm9v");
  EXPECT_EQ(write("foob"), "Zm9vYg");
  EXPECT_EQ(write("\xff\xef\xfe"), "_-_-");
}

TEST(Base64Url, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(readBase64Url(write(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
}

TEST(Base64Url, RefusesOtherTexts) {
  for (const char* text : {"Z", "Zg==", "Zm9v=", "Zh", "Zm9", "Zm+v", "Zm/v", "Zm v", "Zm9vZ"}) {
    EXPECT_EQ(readBase64Url(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace strata
