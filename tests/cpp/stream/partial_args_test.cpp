#include "stream/partial_args.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::stream {
namespace {

std::string argsOf(const std::vector<std::string>& pieces) {
  PartialArgs args;
  for (const std::string& piece : pieces) args.add(test::Json(piece).root());
  return args.text();
}

bool takes(const std::string& path) {
  PartialArgs args;
  const test::Json piece(R"({"jsonPath":")" + path + R"(","stringValue":"x"})");
  return args.add(piece.root());
}

TEST(PartialArgs, AreAnEmptyObjectWithoutPieces) { EXPECT_EQ(argsOf({}), "{}"); }

TEST(PartialArgs, FollowJsonPaths) {
  EXPECT_EQ(argsOf({R"({"jsonPath":"$.a.b[0].c","stringValue":"1"})",
                    R"({"jsonPath":"$.a.b[1]","numberValue":9007199254740993})",
                    R"({"jsonPath":"$['x y'].z","boolValue":false})",
                    R"({"jsonPath":"$[\"q\"]","nullValue":"NULL_VALUE"})"}),
            R"({"a":{"b":[{"c":"1"},9007199254740993]},"x y":{"z":false},"q":null})");
}

TEST(PartialArgs, JoinStringsAndReplaceOtherValues) {
  EXPECT_EQ(
      argsOf({R"({"jsonPath":"$.a","stringValue":"x\n"})",
              R"({"jsonPath":"$.a","stringValue":"\u0041\""})",
              R"({"jsonPath":"$.b","numberValue":1})", R"({"jsonPath":"$.b","numberValue":2.0})"}),
      R"({"a":"x\n\u0041\"","b":2.0})");
}

TEST(PartialArgs, RejectInvalidPaths) {
  for (const char* path : {"", "a", "$", "$.", "$[", "$[1", "$[x]", "$['a", "$.a..b", "$a",
                           "$[99999999]", "$[1001]"}) {
    EXPECT_FALSE(takes(path)) << path;
  }
  // Below a name an index is possible, where the root is an object.
  for (const char* path : {"$.a[", "$.a[]", "$.a[.b", "$.a[x]", "$.a[1", "$.a[1.b", "$.a['b'",
                           "$.a[99999999]", "$.a[1001]"}) {
    EXPECT_FALSE(takes(path)) << path;
  }
  std::string deep = "$";
  for (int i = 0; i < 101; ++i) deep += ".a";
  EXPECT_FALSE(takes(deep));
  EXPECT_TRUE(takes("$.a[3]['b']"));
}

TEST(PartialArgs, RejectPathsThatCrossAValue) {
  PartialArgs args;
  const test::Json value(R"({"jsonPath":"$.a","stringValue":"x"})");
  const test::Json below(R"({"jsonPath":"$.a.b","stringValue":"y"})");
  const test::Json list(R"({"jsonPath":"$[0]","stringValue":"y"})");
  EXPECT_TRUE(args.add(value.root()));
  EXPECT_FALSE(args.add(below.root()));
  EXPECT_FALSE(args.add(list.root()));
  EXPECT_EQ(args.text(), R"({"a":"x"})");
}

TEST(PartialArgs, SkipAThousandElementsInAll) {
  // A path of 500 bytes asked for a hundred thousand elements.
  std::string deep = "$.k";
  for (int i = 0; i < 99; ++i) deep += "[1000]";
  EXPECT_FALSE(takes(deep));
  PartialArgs args;
  const auto add = [&](const std::string& path) {
    return args.add(test::Json(R"({"jsonPath":")" + path + R"(","numberValue":1})").root());
  };
  EXPECT_TRUE(add("$.a[600]"));
  EXPECT_TRUE(add("$.b[400]"));
  EXPECT_FALSE(add("$.c[1]"));
  EXPECT_TRUE(add("$.c[0]"));
  EXPECT_TRUE(add("$.a[601]"));
  EXPECT_LT(args.text().size(), 6000U);
}

TEST(PartialArgs, FindVeryManyKeys) {
  // One comparison with each key before would be 20 billion.
  PartialArgs args;
  for (int i = 0; i < 200000; ++i) {
    args.add(
        test::Json(R"({"jsonPath":"$.k)" + std::to_string(i) + R"(","boolValue":true})").root());
  }
  EXPECT_FALSE(args.add(test::Json(R"({"jsonPath":"$.k199999.x","boolValue":true})").root()));
  EXPECT_TRUE(args.text().ends_with(R"("k199999":true})"));
}

TEST(PartialArgs, EscapeKeys) {
  EXPECT_EQ(argsOf({R"({"jsonPath":"$['a\"\\b']","stringValue":"x"})"}), R"({"a\"\\b":"x"})");
}

}  // namespace
}  // namespace strata::stream
