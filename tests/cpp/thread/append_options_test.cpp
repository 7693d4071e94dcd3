#include <gtest/gtest.h>

#include "repair/repair.h"
#include "support/random_history.h"
#include "thread/saved_form.h"
#include "thread/thread.h"
#include "tokens/estimate.h"

namespace strata::thread {
namespace {

using test::call;
using test::callTurn;
using test::content;
using test::Json;
using test::Judge;
using test::model;
using test::Policy;
using test::result;
using test::resultTurn;
using test::text;
using test::unsignedCall;
using test::user;
using Lines = std::vector<std::string>;

constexpr AppendOptions kPlaceholder{true, false};
constexpr AppendOptions kLearn{false, true};

AppendResult append(Thread& thread, const std::string& bytes, Policy policy,
                    const AppendOptions& options, const std::string& meta = "{}") {
  const Json read(bytes);
  const Json about(meta);
  return thread.append(bytes, read.root(), about.root(), policy, options);
}

AppendResult preview(const Thread& thread, const std::string& bytes, Policy policy,
                     const AppendOptions& options = {}) {
  const Json read(bytes);
  return thread.preview(bytes, read.root(), {}, policy, options);
}

// Returns the answer as `repair` with placeholders changes it in a request of a user turn, the
// answer and its responses; "" if an error remains.
std::string repairedInRequest(const Judge& judge, const std::string& answer,
                              const std::vector<std::string>& responses) {
  const std::string body = test::bodyOf({user("?"), answer, content("user", responses)});
  const repair::RepairResult repaired = repair::repairRequest(body, judge.context(), {true});
  for (const catalogue::Finding& finding : repaired.findings) {
    if (judge.target().severity(finding) == catalogue::Severity::kError) return "";
  }
  const Json read(repaired.body.text());
  return std::string(read.root().find("contents").at(1).bytes());
}

TEST(Placeholder, IsAddedByTheEditOfRepair) {
  const Judge judge;
  const std::string snake =
      R"({"role":"model","parts":[{"text":"so"}, {"function_call":{"name":"f","args":{}} , "thought_signature":""}]})";
  for (const std::string& answer :
       {content("model", {unsignedCall()}), content("model", {unsignedCall(), unsignedCall("g")}),
        content("model", {text("so"), unsignedCall("f", "1")}), snake}) {
    const bool two = answer.find("\"g\"") != std::string::npos;
    const bool hasId = answer.find("\"id\"") != std::string::npos;
    std::vector<std::string> responses = {result("f", hasId ? "1" : "")};
    if (two) responses.push_back(result("g"));
    for (const Policy policy : {Policy::kReject, Policy::kRepair}) {
      Thread thread = judge.thread();
      append(thread, user(), policy, {});
      ASSERT_FALSE(append(thread, answer, policy, {}).accepted) << answer;
      const AppendResult done = append(thread, answer, policy, kPlaceholder);
      ASSERT_TRUE(done.accepted) << answer;
      EXPECT_EQ(thread.content(1), repairedInRequest(judge, answer, responses));
      EXPECT_NE(thread.content(1).find("skip_thought_signature_validator"), std::string::npos);
      EXPECT_EQ(done.findings.front().rule, catalogue::Rule::kSignatureMissing);
      EXPECT_TRUE(done.findings.front().repaired);
      EXPECT_EQ(done.findings.front().content, 1);
    }
  }
}

TEST(Placeholder, IsAddedInALaterStepOfATurn) {
  const Judge judge;
  Thread thread = judge.thread();
  for (const std::string& each : {user(), callTurn(), resultTurn()})
    append(thread, each, Policy::kRepair, {});
  const AppendResult done =
      append(thread, content("model", {unsignedCall()}), Policy::kRepair, kPlaceholder);
  ASSERT_TRUE(done.accepted);
  EXPECT_EQ(thread.content(3),
            content("model", {call("f", "", "skip_thought_signature_validator")}));
  EXPECT_EQ(test::linesOf(done.findings, judge.target()).front(),
            "info signature.missing /contents/3/parts/0");
  EXPECT_EQ(thread.content(1), callTurn());
}

TEST(Placeholder, ChangesNothingElse) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, user(), Policy::kReject, {});
  EXPECT_TRUE(append(thread, callTurn(), Policy::kReject, kPlaceholder).accepted);
  EXPECT_EQ(thread.content(1), callTurn());
  thread.rewind(1);
  // An error that nothing repairs.
  const std::string bad = R"({"role":"model","parts":[{"functionCall":{"args":{}}},7]})";
  const AppendResult refused = append(thread, bad, Policy::kReject, kPlaceholder);
  EXPECT_FALSE(refused.accepted);
  EXPECT_EQ(test::linesOf(refused.findings, judge.target()),
            test::linesOf(append(thread, bad, Policy::kReject, {}).findings, judge.target()));
  EXPECT_EQ(thread.size(), 1U);
  // A repair that would move Parts to another Content.
  EXPECT_FALSE(
      append(thread, content("model", {result(), unsignedCall()}), Policy::kReject, kPlaceholder)
          .accepted);
  // A repair of a Content without calls.
  EXPECT_FALSE(
      append(thread, content("model", {text("a"), "{}"}), Policy::kReject, kPlaceholder).accepted);
  // Nothing is rejected under `kWarn`.
  const std::string answer = content("model", {unsignedCall()});
  EXPECT_TRUE(append(thread, answer, Policy::kWarn, kPlaceholder).accepted);
  EXPECT_EQ(thread.content(1), answer);
  Thread empty = judge.thread();
  EXPECT_FALSE(append(empty, answer, Policy::kReject, kPlaceholder).accepted);
}

TEST(Preview, SaysWhatAppendWouldAndChangesNothing) {
  const Judge judge("gemini-3.8-flash", gemini::Backend::kVertex);
  for (uint32_t seed = 0; seed < 40; ++seed) {
    for (const Policy policy : {Policy::kReject, Policy::kRepair, Policy::kWarn}) {
      Thread thread = judge.thread();
      for (const std::string& each : test::RandomHistory(seed, true).contents(12)) {
        for (const AppendOptions& options : {AppendOptions{}, kPlaceholder}) {
          const std::string digest = test::hexDigest(thread);
          const AppendResult seen = preview(thread, each, policy, options);
          EXPECT_EQ(test::hexDigest(thread), digest);
          Thread fork = thread;
          const AppendResult done = append(fork, each, policy, options);
          EXPECT_EQ(seen.accepted, done.accepted) << each;
          EXPECT_EQ(test::linesOf(seen.findings, judge.target()),
                    test::linesOf(done.findings, judge.target()));
        }
        append(thread, each, policy, {});
      }
    }
  }
}

TEST(SomeResponses, AreJudgedBeforeTheOthersArrive) {
  const Judge judge;
  Thread thread = judge.thread();
  append(thread, user(), Policy::kReject, {});
  append(thread, content("model", {call("f", "1"), unsignedCall("g", "2")}), Policy::kReject, {});
  const auto linesOf = [&](const std::string& part) {
    const Json read(content("user", {part}));
    gemini::ContentView view;
    view.read(read.root());
    return test::linesOf(thread.checkSomeResponses(view, test::Policy::kReject), judge.target());
  };
  EXPECT_EQ(linesOf(result("f", "1")), Lines{});
  EXPECT_EQ(linesOf(result("g", "2")), Lines{});
  EXPECT_EQ(linesOf(R"({"functionResponse":{"id":"2","name":"g","response":[1]}})"),
            Lines{"error response.not_object /contents/2/parts/0/functionResponse/response"});
  EXPECT_EQ(linesOf(result("g", "3")), Lines{"error response.id_mismatch /contents/2/parts/0"});
  EXPECT_EQ(linesOf(text("hi")), Lines{"error call.open /contents/1"});
}

// A thread that estimates as the bindings do, and a calibration beside it that learns the way a
// caller with its own calibration would.
class Learning : public testing::Test {
 protected:
  std::string addWithout(const std::string& bytes, const std::string& meta = "{}") {
    EXPECT_TRUE(append(thread_, bytes, Policy::kRepair, kLearn, meta).accepted);
    return std::string(thread_.meta(thread_.size() - 1));
  }
  tokens::Measure measure(const std::string& bytes) const {
    const Json read(bytes);
    return tokens::measure(read.root(), tokens::MediaCount::kGemini3);
  }
  std::string estimateOf(const std::string& bytes) const {
    return std::to_string(static_cast<uint32_t>(tokens::corrected(measure(bytes), own_)));
  }
  void addCounted(const std::string& bytes, int count) {
    const std::string meta = R"({"tokens":)" + std::to_string(count) + "}";
    EXPECT_EQ(addWithout(bytes, meta), meta);
    tokens::learn(own_, measure(bytes), count);
  }

  Judge judge_;
  Thread thread_ = judge_.thread(false, tokens::estimateContentGemini3);
  tokens::Calibration own_;
};

TEST_F(Learning, EstimatesAsACallerWithItsOwnCalibration) {
  const std::string words(400, 'w');
  for (int i = 0; i < 6; ++i) {
    const std::string said = user(words + std::to_string(i));
    const uint32_t before = thread_.tokens();
    const std::string estimate = estimateOf(said);
    EXPECT_EQ(addWithout(said, R"({"at":"x"})"), R"({"at":"x","tokens":)" + estimate + "}");
    EXPECT_EQ(std::to_string(thread_.tokens() - before), estimate);
    addCounted(model(words), 160);
    EXPECT_EQ(thread_.calibration().text, own_.text);
    EXPECT_EQ(thread_.calibration().data, own_.data);
    EXPECT_EQ(thread_.calibration().seen, own_.seen);
  }
  EXPECT_GT(own_.text, 1.4);
}

TEST_F(Learning, WritesTheEstimateAsTheLastMemberOfTheMetadata) {
  const std::string said = user("four score and seven years ago");
  const std::string tokens = "\"tokens\":" + estimateOf(said);
  EXPECT_EQ(addWithout(said), "{" + tokens + "}");
  thread_.rewind(0);
  EXPECT_EQ(addWithout(said, "{ }"), "{ " + tokens + "}");
  thread_.rewind(0);
  EXPECT_EQ(addWithout(said, R"({"at":"}"})"), R"({"at":"}",)" + tokens + "}");
  thread_.rewind(0);
  const Json read(said);
  thread_.append(said, read.root(), {}, Policy::kRepair, kLearn);
  EXPECT_EQ(thread_.meta(0), "{" + tokens + "}");
}

TEST_F(Learning, HappensOnRequestOnly) {
  append(thread_, user(), Policy::kRepair, {}, R"({"tokens":500})");
  EXPECT_EQ(thread_.calibration().seen, 0);
  EXPECT_EQ(thread_.meta(0), R"({"tokens":500})");
  append(thread_, model(), Policy::kRepair, {});
  EXPECT_EQ(thread_.meta(1), "{}");
  // A rejected answer teaches nothing.
  const std::string bad = content("model", {unsignedCall()});
  EXPECT_FALSE(append(thread_, bad, Policy::kReject, kLearn, R"({"tokens":500})").accepted);
  EXPECT_EQ(thread_.calibration().seen, 0);
}

TEST_F(Learning, IsInheritedByForksAndNotSaved) {
  addWithout(user());
  addCounted(model(std::string(100, 'w')), 60);
  const double learned = thread_.calibration().text;
  Thread fork = thread_;
  fork.rewind(1);
  EXPECT_EQ(fork.calibration().text, learned);
  append(fork, model(std::string(100, 'w')), Policy::kRepair, kLearn, R"({"tokens":30})");
  EXPECT_NE(fork.calibration().text, learned);
  EXPECT_EQ(thread_.calibration().text, learned);
  Thread loaded = judge_.thread(false, tokens::estimateContentGemini3);
  ASSERT_TRUE(loadSaved(loaded, save(thread_).join()));
  EXPECT_EQ(loaded.calibration().seen, 0);
  EXPECT_EQ(loaded.tokens(), thread_.tokens());
  loaded.setCalibration(thread_.calibration());
  EXPECT_EQ(loaded.calibration().text, learned);
}

TEST_F(Learning, MeasuresTheTurnAsItWasRepaired) {
  addWithout(user());
  AppendOptions both = kLearn;
  both.placeholder = true;
  const std::string answer = content("model", {unsignedCall()});
  ASSERT_TRUE(append(thread_, answer, Policy::kRepair, both, R"({"tokens":40})").accepted);
  tokens::learn(own_, measure(std::string(thread_.content(1))), 40);
  EXPECT_EQ(thread_.calibration().data, own_.data);
  EXPECT_EQ(thread_.meta(1), R"({"tokens":40})");
}

}  // namespace
}  // namespace strata::thread
