#include <gtest/gtest.h>

#include "support/imports.h"
#include "support/shared_files.h"

namespace strata::dialects {
namespace {

using test::Import;
using test::Json;
using test::Lines;

const std::string kSteps =
    R"([{"type":"user_input","content":[{"type":"text","text":"hi"}]},)"
    R"({"type":"thought","signature":"c2lnbmVk"},)"
    R"({"type":"function_call","id":"c","name":"f","arguments":{"x":1.0}},)"
    R"({"type":"function_result","call_id":"c","name":"f","result":{"ok":true}},)"
    R"({"type":"thought","signature":"c2lnbmVl","summary":null},)"
    R"({"type":"model_output","content":[{"type":"text","text":"ok","annotations":null}]}])";

const Lines kTurns = {
    R"({"role":"user","parts":[{"text":"hi"}]})",
    R"({"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":{"x":1.0}},)"
    R"("thoughtSignature":"c2lnbmVk"}]})",
    R"({"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"ok":true}}}]})",
    R"({"role":"model","parts":[{"text":"ok","thoughtSignature":"c2lnbmVl"}]})"};

TEST(ImportInteractions, ReadsAListOfSteps) {
  const Import import(kSteps);
  EXPECT_EQ(import.error(), "");
  EXPECT_EQ(import.turns(), kTurns);
  EXPECT_EQ(import.lines(), Lines());
  EXPECT_EQ(import.notes(), Lines());
}

TEST(ImportInteractions, RefusesAListOfStepsAndContents) {
  const std::string step = R"({"type":"user_input","content":"hi"})";
  const std::string content = R"({"role":"model","parts":[{"text":"ok"}]})";
  EXPECT_EQ(Import("[" + step + "," + content + "]").error(),
            "/1: a step: `checker.convert` makes steps of Contents");
  EXPECT_EQ(Import("[" + content + "," + step + "]").error(),
            "/1: a Content: `checker.convert` makes Contents of steps");
}

TEST(ImportInteractions, ReadsAStoredInteractionAndARequestBody) {
  const Import stored(
      R"({"id":"v1_a","object":"interaction","model":"gemini-3.5-flash",)"
      R"("status":"completed","usage":{},"created":"2026-05-15T18:52:00Z","steps":)" +
      kSteps + "}");
  EXPECT_EQ(stored.turns(), kTurns);
  EXPECT_EQ(stored.notes(), Lines());
  const Import request(R"({"model":"gemini-3.8-flash","system_instruction":"be brief","input":)" +
                       kSteps + R"(,"store":false})");
  EXPECT_EQ(request.turns(), kTurns);
  EXPECT_EQ(request.imported.systemText, "be brief");
  const Import text(R"({"model":"gemini-3.8-flash","input":"hi"})");
  EXPECT_EQ(text.turns(), Lines{kTurns[0]});
}

TEST(ImportInteractions, ReadsAListOfInteractions) {
  const Import import(R"([{"model":"a","steps":[{"type":"user_input","content":"hi"}]},)"
                      R"({"model":"a","steps":[{"type":"model_output","content":"ok"}]}])");
  EXPECT_EQ(import.turns(), Lines({R"({"role":"user","parts":[{"text":"hi"}]})",
                                   R"({"role":"model","parts":[{"text":"ok"}]})"}));
}

TEST(ImportInteractions, NotesWhatContentsDoNotHave) {
  const Import import(R"([{"type":"user_input","content":"hi"},)"
                      R"({"type":"google_search_call","id":"s","signature":"c2ln"},)"
                      R"({"type":"model_output","content":[{"type":"text","text":"ok",)"
                      R"("annotations":[{"type":"url_citation"}]}]}])");
  EXPECT_EQ(import.notes(), Lines({"warning import.left_out /1", "warning import.left_out /2"}));
  const Import continued(
      R"({"model":"gemini-3.8-flash","input":"hi","previous_interaction_id":"v1_a"})");
  EXPECT_EQ(continued.notes(), Lines({"warning import.left_out "}));
}

TEST(ImportInteractions, ReadsEveryRecordedAnswer) {
  for (const std::string name :
       {"basic", "google-search", "structured-output", "tool-call-step1", "tool-call-step2"}) {
    const auto file = test::readShared("interactions/" + name + ".json");
    if (!file) GTEST_SKIP() << test::missingFolder("interactions");
    const Import import(*file);
    EXPECT_EQ(import.error(), "") << name;
    ASSERT_EQ(import.thread.size(), 1U) << name;
    const Json answer(*file);
    const std::string signature = answer.root().find("steps").at(0).find("signature").text();
    EXPECT_NE(import.turns()[0].find(signature), std::string::npos) << name;
  }
}

TEST(ImportInteractions, NamesTheFormatInErrors) {
  ImportOptions options;
  options.format = Format::kInteractions;
  const Import import(R"({"agent":"deep-research","steps":5,"input":7})", options);
  EXPECT_EQ(import.error(), "/input: a list of steps");
  EXPECT_EQ(import.readAs(), "steps of the Interactions API, as `format` says");
}

}  // namespace
}  // namespace strata::dialects
