#include "json/scan.h"

#include <gtest/gtest.h>

#include <string>

namespace strata::json {
namespace {

// Scanning examines eight bytes at a time: every byte at every place of such a word, with another
// special byte behind it.
TEST(Scan, FindsTheFirstSpecialByte) {
  for (size_t before = 0; before < 20; ++before) {
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      const std::string text = std::string(before, 'a') + c + "b\x01\"cdefghijkl";
      const bool isPlain = byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
      const StringScan scan = scanString(text, 0);
      const size_t expected = isPlain ? before + 2 : before + (c == '"' ? 1 : 0);
      // "\b" is an escape sequence.
      EXPECT_EQ(scan.at, c == '\\' ? before + 2 : expected) << before << ", byte " << byte;
      EXPECT_EQ(scan.end == StringEnd::kClosed, c == '"') << before << ", byte " << byte;
    }
  }
}

TEST(Scan, FindsTheFirstOfTwoCharacters) {
  for (size_t before = 0; before < 20; ++before) {
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      const std::string text = std::string(before, 'a') + c + "b\r\ncdefghijkl";
      const bool isFound = c == '\r' || c == '\n';
      EXPECT_EQ(findEither(text, 0, '\r', '\n'), isFound ? before : before + 2) << byte;
    }
  }
}

}  // namespace
}  // namespace strata::json
