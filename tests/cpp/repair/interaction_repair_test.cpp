#include <gtest/gtest.h>

#include "repair/edits_of.h"
#include "repair/interaction_fixes.h"
#include "repair/repair.h"
#include "support/contents.h"
#include "support/files.h"
#include "support/random_steps.h"
#include "support/shared_files.h"

namespace strata::repair {
namespace {

using test::Json;
using test::Judge;
using Lines = std::vector<std::string>;

constexpr RepairOptions kPlaceholders{true};
const std::string kThought = R"({"type":"thought","signature":"c2lnbmVk"})";
const std::string kUser = R"({"type":"user_input","content":[{"type":"text","text":"hi"}]})";

std::string call(const std::string& id) {
  return R"({"type":"function_call","id":")" + id + R"(","name":"f","arguments":{}})";
}
std::string result(const std::string& id) {
  return R"({"type":"function_result","call_id":")" + id + R"(","name":"f","result":{}})";
}
std::string output(const std::string& text) {
  return R"({"type":"model_output","content":[{"type":"text","text":")" + text + R"("}]})";
}
std::string body(const std::string& input) {
  return R"({"model":"gemini-3.8-flash","input":)" + input + "}";
}
std::string steps(const Lines& list) { return body("[" + test::joined(list) + "]"); }

// Returns the repaired body. Repairing it again must change nothing.
std::string repaired(const std::string& text, const RepairOptions& options = {}) {
  const Judge judge;
  const std::string once = repairRequest(text, judge.context(), options).body.text();
  EXPECT_EQ(repairRequest(once, judge.context(), options).body.text(), once) << text;
  return once;
}

TEST(InteractionRepair, LeavesABodyWithoutErrorsAsItIs) {
  const std::string text =
      "{ \"model\" : \"gemini-3.8-flash\" , \"input\" : [ " + kUser + " ] , \"new_field\" : 1 }";
  EXPECT_EQ(repaired(text), text);
}

TEST(InteractionRepair, MakesStepsOfTurns) {
  EXPECT_EQ(repaired(body(R"([{"role":"user","content":"a"},)"
                          R"({"role":"assistant","content":[{"type":"text","text":"b"}]},)"
                          R"({"role":"user","parts":[{"text":"c"}]}])")),
            body(R"([{"type":"user_input","content":"a"},)"
                 R"({"type":"model_output","content":[{"type":"text","text":"b"}]},)"
                 R"({"type":"user_input","content":[{"type":"text","text":"c"}]}])"));
  const std::string system = body(R"([{"role":"system","content":"a"}])");
  EXPECT_EQ(repaired(system), system);
}

TEST(InteractionRepair, SignsAThoughtPastAnUnknownStep) {
  const std::string unsigned_ = R"({"type":"thought"})";
  const std::string unknown = R"({"type":"elicitation_call"})";
  EXPECT_EQ(repaired(steps({kUser, unsigned_, unknown, kThought, call("a"), result("a")})),
            steps({kUser, kThought, unknown, kThought, call("a"), result("a")}));
}

TEST(InteractionRepair, RepairsFieldsAndTexts) {
  EXPECT_EQ(repaired(R"({"model":"m","input":"a","system_instruction":)"
                     R"({"parts":[{"text":"b\"c"},{"text":"d"}]}})"),
            R"({"model":"m","input":"a","system_instruction":"b\"c\nd"})");
  EXPECT_EQ(
      repaired(R"({"model":"gemini-3.8-flash","input":"a",)"
               R"("generation_config":{"thinking_level":"LOW"}})"),
      R"({"model":"gemini-3.8-flash","input":"a","generation_config":{"thinking_level":"low"}})");
  EXPECT_EQ(repaired(steps({R"({"type":"user_input","content":[{"type":"image","data":)"
                            R"("data:image/png;base64,AAAA"},{"type":"text","text":""}]})"})),
            steps({R"({"type":"user_input","content":[{"type":"image","data":"AAAA",)"
                   R"("mime_type":"image/png"}]})"}));
  EXPECT_EQ(repaired(steps({kUser, output(""), kUser})), steps({kUser, kUser}));
  EXPECT_EQ(
      repaired(steps({kUser, kThought,
                      R"({"type":"function_call","id":"a","name":"f","arguments":"{\"x\":1}"})",
                      result("a")})),
      steps({kUser, kThought, R"({"type":"function_call","id":"a","name":"f","arguments":{"x":1}})",
             result("a")}));
}

TEST(InteractionRepair, WrapsAListOfContentForV1) {
  const Judge judge;
  lint::LintContext context = judge.context();
  context.stableVersion = true;
  const std::string list = R"([{"type":"text","text":"a"}])";
  EXPECT_EQ(repairRequest(body(list), context).body.text(),
            body(R"([{"type":"user_input","content":)" + list + "}]"));
  EXPECT_EQ(repaired(body(list)), body(list));
}

TEST(InteractionRepair, RepairsResults) {
  EXPECT_EQ(
      repaired(steps(
          {kUser, kThought, call("a"), R"({"type":"function_result","call_id":"a","result":5})"})),
      steps({kUser, kThought, call("a"),
             R"({"type":"function_result","call_id":"a","result":{"result":5},"name":"f"})"}));
  EXPECT_EQ(repaired(steps({kUser, kThought, call("a"), call("b"), result("b"),
                            R"({"type":"user_input","content":[)"
                            R"({"type":"function_result","name":"f","result":{}}]})"})),
            steps({kUser, kThought, call("a"), call("b"), result("b"),
                   R"({"type":"user_input","content":[)"
                   R"({"type":"function_result","name":"f","result":{},"call_id":"a"}]})"}));
  EXPECT_EQ(repaired(steps({kUser, kThought, call("a"), result("a"), result("a")})),
            steps({kUser, kThought, call("a"), result("a")}));
  // Either of two calls may be meant.
  const std::string ambiguous =
      steps({kUser, kThought, call("a"), call("b"),
             R"({"type":"user_input","content":[{"type":"function_result","name":"f","result":{}},)"
             R"({"type":"function_result","name":"f","result":{}}]})"});
  EXPECT_EQ(repaired(ambiguous), ambiguous);
}

TEST(InteractionRepair, ReplacesLoneSurrogatesOfAnInputThatIsNoListOfSteps) {
  const std::string lone = R"({"type":"text","text":"a\ud800"})";
  const std::string content = R"({"type":"text","text":"a\ufffd"})";
  EXPECT_EQ(repaired(body("[" + lone + "]")), body("[" + content + "]"));
  EXPECT_EQ(repaired(body(R"([{"role":"user","content":[)" + lone + "]}]")),
            body(R"([{"type":"user_input","content":[)" + content + "]}]"));
}

TEST(InteractionRepair, NamesTheResultOfTheOnlyCall) {
  const std::string bare = R"({"type":"function_result","result":"1"})";
  EXPECT_EQ(
      repaired(steps({kUser, kThought, call("a"), bare})),
      steps({kUser, kThought, call("a"), R"({"type":"function_result","result":"1","name":"f"})"}));
}

TEST(InteractionRepair, MovesResultsBehindTheCallsOfTheirTurn) {
  EXPECT_EQ(repaired(steps({kUser, kThought, call("a"), result("a"), call("b"), result("b"),
                            call("c"), result("c")})),
            steps({kUser, kThought, call("a"), call("b"), call("c"), result("a"), result("b"),
                   result("c")}));
}

TEST(InteractionRepair, MovesAllResultsOfALoopAtOnce) {
  Lines loop = {kUser, kThought};
  Lines calls = loop;
  Lines results;
  for (int i = 0; i < 100; ++i) {
    const std::string id = std::to_string(i);
    for (Lines* list : {&loop, &calls}) list->push_back(call(id));
    for (Lines* list : {&loop, &results}) list->push_back(result(id));
  }
  calls.insert(calls.end(), results.begin(), results.end());
  const Judge judge;
  const std::string text = steps(loop);
  const RepairResult result = repairRequest(text, judge.context());
  EXPECT_EQ(result.body.text(), steps(calls));
  EXPECT_EQ(result.fixes, 1U);
}

TEST(InteractionRepair, MovesAndSignsThoughts) {
  EXPECT_EQ(repaired(steps({kUser, output("a"), kThought, call("a"), result("a")})),
            steps({kUser, kThought, output("a"), call("a"), result("a")}));
  // The signature of another call stays with it.
  EXPECT_EQ(repaired(steps({kUser, call("a"), kThought, call("b"), result("a"), result("b")})),
            steps({kUser, kThought, call("a"), kThought, call("b"), result("a"), result("b")}));
  const std::string bare = R"({"type":"thought","summary":[]})";
  EXPECT_EQ(repaired(steps({kUser, bare, kThought, call("a"), result("a")})),
            steps({kUser, R"({"type":"thought","summary":[],"signature":"c2lnbmVk"})", kThought,
                   call("a"), result("a")}));
  const std::string only = steps({kUser, bare, call("a"), result("a")});
  EXPECT_EQ(repaired(only), only);
  EXPECT_EQ(
      repaired(only, kPlaceholders),
      steps({kUser,
             R"({"type":"thought","summary":[],"signature":"skip_thought_signature_validator"})",
             call("a"), result("a")}));
}

TEST(InteractionRepair, OpensATurnWithThePlaceholderIfAsked) {
  const std::string text = steps({kUser, output("a"), call("a"), result("a")});
  EXPECT_EQ(repaired(text), text);
  EXPECT_EQ(repaired(text, kPlaceholders),
            steps({kUser, R"({"type":"thought","signature":"skip_thought_signature_validator"})",
                   output("a"), call("a"), result("a")}));
}

TEST(InteractionRepair, ReportsRepairsAtTheirPlacesInTheOriginalBody) {
  const Judge judge;
  const std::string text = steps({kUser, output(""), kThought, call("a"),
                                  R"({"type":"function_result","call_id":"a","result":{}})"});
  const RepairResult result = repairRequest(text, judge.context());
  EXPECT_EQ(test::linesOf(result.findings, judge.target()),
            Lines({"info step.text_empty /input/1/content/0/text",
                   "info step.result_name /input/4/name"}));
  catalogue::Findings findings = lint::lintRequest(text, judge.context());
  std::optional<RepairResult> made;
  const TextEdits edits = findEdits(findings, text, judge.context(), {}, made);
  EXPECT_EQ(edits.size(), 2U);
}

std::string withoutSpaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

// The examples of the catalogue: repair turns the failing input into the fixed one.
TEST(InteractionRepair, TurnsTheExamplesOfTheCatalogueIntoTheirFixedForm) {
  const Json cases(test::readFile("src/catalogue/examples.json").value_or(""));
  const Judge judge;
  size_t count = 0;
  for (const json::Value example : json::elements(cases.root().find("examples"))) {
    if (!example.find("kind").equals("interaction")) continue;
    const std::string code = example.find("code").text();
    const catalogue::Rule rule = judge.target().catalogue->ruleOf(code);
    const bool isRepaired = hasFix(rule) && !example.find("repair");
    const RepairOptions options{example.find("options").find("dummySignatures").isTrue()};
    const std::string failing(example.find("failing").bytes());
    const RepairResult result = repairRequest(failing, judge.context(), options);
    const Json fixed{std::string(example.find("fixed").bytes())};
    const Json made(result.body.text());
    if (!isRepaired) continue;
    EXPECT_EQ(withoutSpaces(made.text()), withoutSpaces(fixed.text())) << code;
    ++count;
  }
  EXPECT_GE(count, 12U);
}

// Of any history with faults, what is left is reported, and a second repair changes nothing.
TEST(InteractionRepair, RepairsRandomFaultsOnce) {
  const Judge judge;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    test::RandomSteps random(seed, seed % 2 == 0);
    const Json list(random.steps());
    Lines shuffled;
    for (const json::Value step : json::elements(list.root())) {
      const size_t fault = random.below(12);
      if (fault == 0) continue;
      shuffled.emplace_back(step.bytes());
      if (fault == 1) shuffled.emplace_back(step.bytes());
      if (fault == 2 && shuffled.size() > 1)
        std::swap(shuffled.back(), shuffled[shuffled.size() - 2]);
    }
    const std::string text = steps(shuffled);
    const RepairResult result = repairRequest(text, judge.context(), kPlaceholders);
    const std::string once = result.body.text();
    ASSERT_TRUE(Json(once).ok()) << once;
    ASSERT_EQ(repairRequest(once, judge.context(), kPlaceholders).body.text(), once) << text;
    Lines left;
    for (const catalogue::Finding& finding : result.findings) {
      if (!finding.repaired) left.push_back(finding.path);
    }
    EXPECT_EQ(left.size(), lint::lintRequest(once, judge.context()).size()) << text;
  }
}

TEST(InteractionRepair, StaysQuickForManyFaults) {
  Lines many = {kUser};
  for (int i = 0; i < 5'000 / STRATA_SHARE; ++i) many.push_back(output(""));
  many.push_back(kUser);
  EXPECT_EQ(repaired(steps(many)), steps({kUser, kUser}));
}

}  // namespace
}  // namespace strata::repair
