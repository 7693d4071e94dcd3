#include "prompt/boundary.h"

#include <gtest/gtest.h>

#include "support/json_file.h"

namespace strata::prompt {
namespace {

using test::Json;

TEST(Boundary, PioneersSplitCases) {
  const Json cases(test::readFile("tests/cases/pioneer_prompt_compile.json").value_or(""));
  EXPECT_EQ(cases.root().find("boundary").text(), kPromptBoundary);
  for (const json::Value given : json::elements(cases.root().find("boundary_split"))) {
    const std::string text = given.find("text").text();
    const auto halves = splitAtBoundary(text);
    const json::Value split = given.find("split");
    ASSERT_EQ(halves.has_value(), split.isArray()) << text;
    if (halves) {
      EXPECT_EQ(halves->stable, split.at(0).text());
      EXPECT_EQ(halves->dynamic, split.at(1).text());
    }
    const json::Value stripped = given.find("stripped");
    if (stripped) {
      EXPECT_EQ(withoutBoundary(text), stripped.text());
    }
  }
  EXPECT_EQ(cases.root().find("boundary_split").size(), 5U);
}

TEST(Boundary, NoneStaysWhereOneIsTakenOut) {
  const std::string mark(kPromptBoundary.substr(1, kPromptBoundary.size() - 2));
  // Two that share a line feed, and one that its neighbours' halves make.
  const std::string shared = "a\n" + mark + "\n" + mark + "\nb";
  EXPECT_EQ(withoutBoundary(shared), "a\nb");
  std::string nested = "a" + mark.substr(0, 9) + mark + mark.substr(9) + "b";
  EXPECT_TRUE(removeMarks(nested));
  EXPECT_EQ(nested, "ab");
  EXPECT_FALSE(removeMarks(nested));
}

}  // namespace
}  // namespace strata::prompt
