// Tests splitting at, and removing, the boundary of a prompt, with the cases of
// tests/cases/pioneer_prompt_compile.json (from the GitHub repository pioneerdotai/pioneer).
#include "sections/boundary.h"

#include <gtest/gtest.h>

#include "support/cases.h"

namespace strata::sections {
namespace {

using test::Case;
using test::Cases;

TEST(Boundary, SplitsAndStripsTheTextsOfTheCaseFile) {
  const Cases cases = test::readCases("tests/cases/pioneer_prompt_compile.json");
  EXPECT_EQ(cases.root().find("boundary").text(), kPromptBoundary);
  for (const Case given : cases.root().find("boundary_split").elements()) {
    const std::string text = given.find("text").text();
    const auto halves = splitAtBoundary(text);
    const Case split = given.find("split");
    ASSERT_EQ(halves.has_value(), split.isArray()) << text;
    if (halves) {
      EXPECT_EQ(halves->stable, split.at(0).text());
      EXPECT_EQ(halves->dynamic, split.at(1).text());
    }
    const Case stripped = given.find("stripped");
    if (stripped) {
      EXPECT_EQ(stripBoundaries(text), stripped.text());
    }
  }
  EXPECT_EQ(cases.root().find("boundary_split").size(), 5U);
}

TEST(Boundary, RemovalLeavesNoBoundaryBehind) {
  const std::string marker(kPromptBoundary.substr(1, kPromptBoundary.size() - 2));
  // Two boundaries that share a line feed, and a marker that forms when another one is removed.
  const std::string shared = "a\n" + marker + "\n" + marker + "\nb";
  EXPECT_EQ(stripBoundaries(shared), "a\nb");
  std::string nested = "a" + marker.substr(0, 9) + marker + marker.substr(9) + "b";
  EXPECT_TRUE(removeBoundaryMarkers(nested));
  EXPECT_EQ(nested, "ab");
  EXPECT_FALSE(removeBoundaryMarkers(nested));
}

}  // namespace
}  // namespace strata::sections
