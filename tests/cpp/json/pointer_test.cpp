#include "json/pointer.h"

#include <gtest/gtest.h>

#include <vector>

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

// Returns what is found for each pointer, in their order.
std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& pointers) {
  const Result<Tape> tape = Tape::read(text);
  std::vector<std::string> found;
  for (const Value value : findNearest(tape.value().root(), pointers)) {
    found.emplace_back(value.bytes());
  }
  return found;
}

TEST(Pointer, FindsManyValuesAtOnce) {
  constexpr std::string_view kText = R"({"a":[1,{"m~n":"x"},3],"a-b":4,"":{"0":2},"a/b":[5]})";
  EXPECT_EQ(nearest(kText, {"/a/2", "", "/a-b", "/a", "/a/1/m~0n", "//0", "/", "/a~1b/0", "/a/0"}),
            (std::vector<std::string>{"3", std::string(kText), "4", R"([1,{"m~n":"x"},3])", "\"x\"",
                                      "2", R"({"0":2})", "5", "1"}));
  EXPECT_EQ(nearest(kText, {"/a/2", "/a/2"}), (std::vector<std::string>{"3", "3"}));
  EXPECT_TRUE(nearest(kText, {}).empty());
}

TEST(Pointer, FindsTheContainerOfAnAbsentValue) {
  constexpr std::string_view kText = R"({"a":[{"b":{}}],"s":"t"})";
  EXPECT_EQ(nearest(kText, {"/a/0/b/c/d", "/a/1", "/a/00", "/s/0", "/x", "a", "/a/0/b"}),
            (std::vector<std::string>{"{}", R"([{"b":{}}])", R"([{"b":{}}])", "\"t\"",
                                      std::string(kText), std::string(kText), "{}"}));
}

TEST(Pointer, FindsManyValuesInAnyOrder) {
  std::string text = "[";
  std::vector<std::string> pointers;
  for (size_t i = 0; i < 2000; ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(i);
    pointers.push_back("/" + std::to_string((i * 7) % 2000));
  }
  text += "]";
  const auto found = nearest(text, pointers);
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ("/" + found[i], pointers[i]);
}

}  // namespace
}  // namespace strata::json
