#include "json/pointer.h"

#include <gtest/gtest.h>

namespace strata::json {
namespace {

// The examples of RFC 6901, section 5.
TEST(Pointer, EscapesKeysAsRfc6901Does) {
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

TEST(Pointer, AppendsKeysAndIndexes) {
  std::string out;
  appendPointer(out, "contents");
  appendPointer(out, size_t{12});
  appendPointer(out, "parts");
  EXPECT_EQ(out, "/contents/12/parts");
}

TEST(Pointer, ResolvesToValues) {
  const std::string text = R"({"a/b":[1,{"m~n":"x"}],"":{"0":2}})";
  const Result<Tape> tape = Tape::read(text);
  const auto at = [&](std::string_view pointer) {
    return valueAt(tape.value().root(), pointer).bytes();
  };
  EXPECT_EQ(at(""), text);
  EXPECT_EQ(at("/a~1b/1/m~0n"), "\"x\"");
  EXPECT_EQ(at("/a~1b/0"), "1");
  EXPECT_EQ(at("//0"), "2");
  EXPECT_EQ(at("/a~1b/2"), "");
  EXPECT_EQ(at("/b/c"), "");
}

TEST(Pointer, LooksIntoNoObjectWithMoreMembersThanAllowed) {
  const Result<Tape> tape = Tape::read(R"({"a":{"b":1,"c":2}})");
  const auto found = [&](size_t mostMembers) {
    return locate(tape.value().root(), "/a/c", mostMembers).item.bytes();
  };
  EXPECT_EQ(found(2), "\"c\"");
  EXPECT_EQ(found(1), "");
}

}  // namespace
}  // namespace strata::json
