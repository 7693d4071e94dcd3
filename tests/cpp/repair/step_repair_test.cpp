#include <gtest/gtest.h>

#include "repair/repair.h"
#include "support/contents.h"

namespace strata::repair {
namespace {

const std::string kUser = R"({"type":"user_input","content":"hi"})";

std::string repaired(const std::string& input, const RepairOptions& options = {}) {
  const test::Judge judge;
  const std::string body = R"({"model":"gemini-3.8-flash","input":[)" + input + "]}";
  const std::string text = repairRequest(body, judge.context(), options).body.text();
  const test::Json read(text);
  return std::string(read.root().find("input").bytes());
}

TEST(StepRepair, DropsAnEmptyStepOfTwo) {
  EXPECT_EQ(repaired(R"({"type":"model_output","content":""},)" + kUser), "[" + kUser + "]");
  const std::string only = R"({"type":"user_input","content":[{"type":"text","text":""}]})";
  EXPECT_EQ(repaired(only), "[" + only + "]");
}

TEST(StepRepair, MovesAThoughtToTheStartOfTheHistory) {
  const std::string output = R"({"type":"model_output","content":"a"})";
  const std::string thought = R"({"type":"thought","signature":"c2lnbmVk"})";
  EXPECT_EQ(repaired(output + "," + thought + "," + kUser),
            "[" + thought + "," + output + "," + kUser + "]");
}

TEST(StepRepair, SignsAThoughtOfATurnAtTheEnd) {
  const std::string call = R"({"type":"function_call","id":"a","name":"f","arguments":{}})";
  EXPECT_EQ(repaired(kUser + R"(,{"type":"thought"},)" + call),
            "[" + kUser + R"(,{"type":"thought"},)" + call + "]");
  EXPECT_EQ(repaired(kUser + R"(,{"type":"thought"},)" + call, {true}),
            "[" + kUser + R"(,{"type":"thought","signature":"skip_thought_signature_validator"},)" +
                call + "]");
}

}  // namespace
}  // namespace strata::repair
