#include "json/pointer.h"

#include <gtest/gtest.h>

namespace strata::json {
namespace {

// The examples of RFC 6901, section 5.
TEST(Pointer, EscapesAsRfc6901Does) {
  const auto pointer = [](std::string_view key) {
    std::string out;
    appendPointer(out, key);
    return out;
  };
  EXPECT_EQ(pointer("foo"), "/foo");
  EXPECT_EQ(pointer(""), "/");
  EXPECT_EQ(pointer("a/b"), "/a~1b");
  EXPECT_EQ(pointer("m~n"), "/m~0n");
  EXPECT_EQ(pointer("~1"), "/~01");
  EXPECT_EQ(pointer("k\"l"), "/k\"l");
}

TEST(Pointer, GrowsByKeysAndIndexes) {
  std::string out;
  appendPointer(out, "contents");
  appendPointer(out, size_t{12});
  appendPointer(out, "parts");
  EXPECT_EQ(out, "/contents/12/parts");
}

}  // namespace
}  // namespace strata::json
