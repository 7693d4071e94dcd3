#include "base/text_index.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(TextIndex, FindsTheLowestNumberOfAText) {
  TextIndex index;
  EXPECT_EQ(index.find(""), -1);
  index.add("b", 3);
  index.add("b", 1);
  index.add("a", 2);
  index.add("", 0);
  EXPECT_EQ(index.find("a"), 2);
  EXPECT_EQ(index.find("b"), 1);
  EXPECT_EQ(index.find(""), 0);
  for (const char* missing : {"A", "aa", "c"}) EXPECT_EQ(index.find(missing), -1) << missing;
}

TEST(TextIndex, RemovesOneNumberAtATime) {
  TextIndex index;
  index.add("a", 1);
  index.add("a", 2);
  index.add("b", 1);
  index.remove("a", 1);
  index.remove("a", 7);
  EXPECT_EQ(index.find("a"), 2);
  EXPECT_EQ(index.find("b"), 1);
  index.remove("a", 2);
  EXPECT_EQ(index.find("a"), -1);
  EXPECT_FALSE(index.empty());
  index.clear();
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(index.find("b"), -1);
}

}  // namespace
}  // namespace strata
