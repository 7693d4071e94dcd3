// Tests turns that come as steps of the Interactions API, and keep them.
#include "thread/append_steps.h"

#include <gtest/gtest.h>

#include "support/contents.h"
#include "support/shared_files.h"
#include "thread/history.h"
#include "thread/rewrite.h"
#include "thread/saved_form.h"
#include "thread/timeline.h"
#include "thread/turn_meta.h"

namespace strata::thread {
namespace {

using test::Json;
using Texts = std::vector<std::string>;

const std::string kInput = R"({"type": "user_input", "content": [{"type":"text","text":"hi"}]})";
const std::string kThought = R"({"type":"thought","signature":"c2ln"})";
const std::string kCall = R"({"type":"function_call","id":"k","name":"f","arguments":{"x":  1.0}})";
const std::string kResult =
    R"({"type":"function_result","call_id":"k","name":"f","result":{"a":1}})";
const std::string kOutput = R"({"type":"model_output","content":[{"type":"text","text":"ok"}]})";
const std::string kSearch =
    R"({"type":"google_search_call","id":"s","arguments":{"queries":["q"]},"signature":"eA=="})";

std::string list(const Texts& steps) { return "[" + test::joined(steps) + "]"; }

class AppendSteps : public testing::Test {
 protected:
  Result<AppendResult> add(const Texts& steps, std::string_view meta = "{}") {
    const Json read(list(steps));
    const Json about{std::string(meta)};
    return appendSteps(thread_, read.root(), about.root(), Thread::Policy::kReject);
  }
  Texts added(const Texts& steps) {
    const Result<AppendResult> done = add(steps);
    if (!done) return {std::string(done.error().code) + " " + done.error().path};
    return test::linesOf(done.value().findings, thread_.target());
  }
  Texts kept() const { return kept(thread_); }
  static Texts kept(const Thread& thread) {
    Texts all;
    for (size_t i = 0; i < thread.size(); ++i) all.push_back(stepsIn(thread.meta(i)));
    return all;
  }

  test::Judge judge_;
  Thread thread_ = judge_.thread();
};

TEST_F(AppendSteps, KeepsTheStepsOfEachTurn) {
  EXPECT_EQ(added({kInput, kThought, kCall, kResult, kThought, kOutput}), Texts());
  EXPECT_EQ(kept(), Texts({list({kInput}), list({kThought, kCall}), list({kResult}),
                           list({kThought, kOutput})}));
  EXPECT_EQ(thread_.content(1), R"({"role":"model","parts":[{"functionCall":{"id":"k","name":"f",)"
                                R"("args":{"x":  1.0}},"thoughtSignature":"c2ln"}]})");
  EXPECT_TRUE(thread_.checkpointAfter(2).isSteps);
}

TEST_F(AppendSteps, ReportsWhatAContentLacksAndKeepsIt) {
  EXPECT_EQ(added({kInput, kSearch, kThought, kOutput}),
            Texts({"warning convert.lost /contents/1/steps/0"}));
  EXPECT_EQ(kept()[1], list({kSearch, kThought, kOutput}));
  EXPECT_EQ(test::linesOf(thread_.findings(), thread_.target()),
            Texts({"warning convert.lost /contents/1/steps/0"}));
}

TEST_F(AppendSteps, GivesStepsWithoutAContentToTheirNeighbor) {
  const std::string unknown = R"({"type":"compaction","x":1})";
  added({kInput, unknown, kThought, kOutput, unknown});
  EXPECT_EQ(kept(), Texts({list({kInput, unknown}), list({kThought, kOutput, unknown})}));
  thread_.rewind(0);
  added({unknown, kInput});
  EXPECT_EQ(kept(), Texts({list({unknown, kInput})}));
  thread_.rewind(0);
  EXPECT_EQ(added({kInput, kSearch}), Texts({"field.invalid /1"}));
  EXPECT_EQ(added({kInput, kSearch, kInput}), Texts({"field.invalid /1"}));
  EXPECT_EQ(added({unknown}), Texts({"field.invalid /0"}));
  EXPECT_EQ(thread_.size(), 0U);
}

TEST_F(AppendSteps, AppendsAllTurnsOrNone) {
  test::append(thread_, test::user());
  const Result<AppendResult> done = add({kThought, kCall, kInput});
  ASSERT_TRUE(done);
  EXPECT_FALSE(done.value().accepted);
  EXPECT_EQ(thread_.size(), 1U);
  EXPECT_EQ(added({kOutput, R"({"text":"x"})"}), Texts({"field.invalid /1"}));
  const Result<AppendResult> counted = add({kThought, kOutput, kInput}, R"({"tokens":3})");
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().path, "/meta/tokens");
  EXPECT_EQ(thread_.size(), 1U);
}

TEST_F(AppendSteps, ConvertsAUserInputThatIsTwoTurns) {
  const std::string both = R"({"type":"user_input","content":[{"type":"function_result",)"
                           R"("call_id":"k","name":"f","result":"r"},{"type":"text","text":"x"}]})";
  thread_.setStrict(false);
  EXPECT_EQ(added({kInput, kThought, kCall, both}),
            Texts({"info response.not_followed_by_model /contents/3"}));
  EXPECT_EQ(kept(), Texts({list({kInput}), list({kThought, kCall}), "", ""}));
}

TEST_F(AppendSteps, KeepsStepsInSavedLines) {
  const std::string pretty =
      "{\n  \"type\": \"model_output\",\n  \"content\": [{\"type\":"
      "\"text\",\"text\":\"ok\\n\"}]\n}";
  added({kInput, kThought, pretty});
  EXPECT_EQ(kept()[1], list({kThought, pretty}));
  const std::string saved = save(thread_).join();
  Thread loaded = judge_.thread();
  ASSERT_TRUE(loadSaved(loaded, saved));
  EXPECT_EQ(kept(loaded), kept());
  EXPECT_EQ(loaded.checkpointAfter(2).digest, thread_.checkpointAfter(2).digest);
  EXPECT_EQ(save(loaded).join(), saved);
}

TEST_F(AppendSteps, RefusesStepsThatASavedTurnCannotHave) {
  const auto nested = [](size_t depth) {
    return R"({"type":"new","x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  // The line, its metadata, the list and the step are around them.
  EXPECT_EQ(added({kInput, nested(json::kMaxDepth - 4)}),
            Texts({"warning convert.lost /contents/0/steps/1"}));
  Thread loaded = judge_.thread();
  EXPECT_TRUE(loadSaved(loaded, save(thread_).join()));
  EXPECT_EQ(kept(loaded), kept());
  EXPECT_EQ(added({kInput, nested(json::kMaxDepth - 3)}), Texts({"json.too_deep /0"}));
}

TEST_F(AppendSteps, OpensAThreadFromSteps) {
  std::vector<CallRecord> records;
  ASSERT_TRUE(loadHistory(thread_, list({kInput, kThought, kOutput}), records));
  EXPECT_EQ(kept(), Texts({list({kInput}), list({kThought, kOutput})}));
  Thread other = judge_.thread();
  const Status status = loadHistory(other, list({kInput, kSearch}), records);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().path, "/1");
}

TEST_F(AppendSteps, DropsTheStepsOfAContentThatIsRepaired) {
  added({kInput, kThought, kCall});
  const Json response(test::content("user", {test::result("f"), test::text("x")}));
  const AppendResult done = thread_.append(
      R"({"role":"user","parts":[{"functionResponse":{"id":"k","name":"g",)"
      R"("response":{"a":1}}}]})",
      Json(R"({"role":"user","parts":[{"functionResponse":{"id":"k","name":"g",)"
           R"("response":{"a":1}}}]})")
          .root(),
      Json(R"({"at":"t","steps":[{"type":"user_input"}]})").root(), Thread::Policy::kRepair);
  ASSERT_TRUE(done.accepted);
  EXPECT_EQ(kept(), Texts({list({kInput}), list({kThought, kCall}), ""}));
  EXPECT_EQ(thread_.meta(2), R"({"at":"t"})");
}

TEST_F(AppendSteps, DropsTheStepsOfARewrittenTurn) {
  added({kInput, kThought, kOutput});
  const std::string other = test::model("other");
  const Result<Thread> done = rewrite(thread_, {Replacement{1, 2, {std::string_view(other)}}});
  ASSERT_TRUE(done);
  EXPECT_EQ(kept(done.value()), Texts({list({kInput}), ""}));
}

TEST_F(AppendSteps, TellsTurnsApartThatDifferInTheirStepsOnly) {
  added({kInput, kThought, kOutput});
  const Digest digest = thread_.checkpointAfter(2).digest;
  thread_.rewind(1);
  add({kThought, R"({"type":"model_output", "content":[{"type":"text","text":"ok"}]})"});
  EXPECT_NE(thread_.checkpointAfter(2).digest, digest);
}

TEST_F(AppendSteps, SaysTheFormInTheTimeline) {
  added({kInput, kThought, kOutput});
  test::append(thread_, test::user());
  json::Writer out;
  out.open('{');
  writeTimeline(out, thread_, {});
  const Json read(out.close('}').take());
  Texts forms;
  for (const json::Value turn : json::elements(read.root().find("turns")))
    forms.push_back(turn.find("form").text());
  EXPECT_EQ(forms, Texts({"steps", "steps", ""}));
}

TEST_F(AppendSteps, KeepsEveryRecordedAnswer) {
  for (const std::string name : {"basic", "google-search", "multi-turn-stateless-turn1",
                                 "multi-turn-stateless-turn2", "tool-call-step1"}) {
    const auto file = test::readShared("interactions/" + name + ".json");
    if (!file) GTEST_SKIP() << test::missingFolder("interactions");
    const Json answer(*file);
    const json::Value steps = answer.root().find("steps");
    thread_.rewind(0);
    test::append(thread_, test::user());
    const Result<AppendResult> done = appendSteps(thread_, steps, {}, Thread::Policy::kReject);
    ASSERT_TRUE(done && done.value().accepted) << name;
    EXPECT_EQ(thread_.size(), 2U) << name;
    const Json kept(stepsIn(thread_.meta(1)));
    ASSERT_EQ(kept.root().size(), steps.size()) << name;
    for (size_t i = 0; i < steps.size(); ++i)
      EXPECT_EQ(kept.root().at(i).bytes(), steps.at(i).bytes()) << name;
  }
}

}  // namespace
}  // namespace strata::thread
