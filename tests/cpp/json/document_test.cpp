// Tests the bridge from Tapes to documents, and how documents are written.
#include "json/document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/json_file.h"

namespace strata::json {
namespace {

using test::Json;

std::string copied(const std::string& text) {
  const Json json(text);
  EXPECT_TRUE(json.ok()) << text;
  return toText(toDocument(json.root()));
}

TEST(Document, KeepsOrderAndValues) {
  const std::string text =
      R"({"z":[1,-2,18446744073709551615,true,false,null,{}],"a":{"b":"\"\n"},"m":[]})";
  EXPECT_EQ(copied(text), text);
  EXPECT_EQ(copied("\"\\u00e4\\ud83e\\udd80/\""), "\"\xC3\xA4\xF0\x9F\xA6\x80/\"");
}

TEST(Document, ReadsNumbersExactly) {
  EXPECT_EQ(copied("0.1"), "0.1");
  EXPECT_EQ(copied("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(copied("1e2"), "100");
  EXPECT_EQ(copied("-2.5e-3"), "-0.0025");
  EXPECT_EQ(copied("12.50"), "12.5");
  EXPECT_EQ(copied("1e-7"), "1e-7");
  EXPECT_EQ(copied("1.5e300"), "1.5e+300");
  EXPECT_EQ(copied("0.0"), "0");
  EXPECT_EQ(copied("5e-324"), "5e-324");
  EXPECT_EQ(copied("1e999"), "null");
}

TEST(Document, ReplacesWhatHasNoUtf8Form) {
  EXPECT_EQ(copied("\"\\ud800x\""), "\"\xEF\xBF\xBDx\"");
  EXPECT_EQ(toText(Document("\xFF!")), "\"\xEF\xBF\xBD!\"");
}

TEST(Document, HoldsTheDeepestTape) {
  const std::string text = std::string(kMaxDepth, '[') + std::string(kMaxDepth, ']');
  EXPECT_EQ(copied(text), text);
}

TEST(Document, IsNullForAnAbsentValue) { EXPECT_TRUE(toDocument({}).is_null()); }

}  // namespace
}  // namespace strata::json
