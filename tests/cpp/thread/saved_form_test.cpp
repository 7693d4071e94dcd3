#include "thread/saved_form.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random_history.h"

namespace strata::thread {
namespace {

using test::append;
using test::Judge;
using test::model;
using test::user;

std::string saved(const Thread& thread) { return save(thread).join(); }

void expectSame(const Thread& loaded, const Thread& thread) {
  ASSERT_EQ(loaded.size(), thread.size());
  for (size_t i = 0; i < thread.size(); ++i) {
    EXPECT_EQ(loaded.content(i), thread.content(i));
    EXPECT_EQ(loaded.checkpointAfter(i + 1).kind, thread.checkpointAfter(i + 1).kind);
  }
  EXPECT_EQ(test::hexDigest(loaded), test::hexDigest(thread));
  EXPECT_EQ(loaded.tokens(), thread.tokens());
  EXPECT_EQ(test::linesOf(loaded.findings(), loaded.target()),
            test::linesOf(thread.findings(), thread.target()));
}

TEST(Saved, LoadsAnyBytesUnchanged) {
  const Judge judge;
  Thread thread = judge.thread();
  for (
      const std::string& each : std::vector<std::string>{
          user("plain"), "{\n  \"role\": \"user\",\r\n  \"parts\": [{\"text\": \"a\\nb\"}]\n}",
          "  " + user("white space in front"), user("white space behind") + "\t ",
          R"({"role":"model","parts":[{"functionCall":{"name":"f","args":{"a":1.0,"b":9007199254740993,"c":1e400}}}]})",
          R"({"parts":[{"text":"\u0041\/\ud800 \"\\"}],"role":"model"})",
          "{\"role\":\"user\",\"parts\":[{\"text\":\"\u00e9\U0001F600\u2028\"}]}",
          "\n" + user("line feed in front"), "[1,2]", "null", " 7", "\"text\""}) {
    append(thread, each, test::Policy::kWarn, R"({"model":"gemini-3.8-flash","at":"x"})");
  }
  Thread loaded = judge.thread();
  const Status status = loadSaved(loaded, saved(thread));
  ASSERT_TRUE(status) << status.error().path << status.error().detail;
  expectSame(loaded, thread);
  EXPECT_EQ(saved(loaded), saved(thread));
}

TEST(Saved, WritesOneLinePerTurn) {
  const Judge judge;
  Thread thread = judge.thread(true);
  append(thread, user("a"), test::Policy::kWarn, "{\"tokens\":3,\n\"at\":\"x\"}");
  append(thread, "\n" + model("b"), test::Policy::kWarn, "{}");
  const std::string lines = saved(thread);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_EQ(
      lines.substr(0, lines.find('\n')),
      R"({"strata":1,"kind":"user","meta":{"tokens":3, "at":"x"},"content":)" + user("a") + "}");
}

TEST(Saved, KeepsTheSequencingInTheFirstLine) {
  const Judge judge;
  Thread thread = judge.thread(false);
  append(thread, user("a"), test::Policy::kWarn, R"({"at":"x"})");
  append(thread, model("b"));
  const std::string lines = saved(thread);
  EXPECT_EQ(lines.substr(0, lines.find('\n')),
            R"({"strata":1,"kind":"user","sequencing":"api","meta":{"at":"x"},"content":)" +
                user("a") + "}");
  EXPECT_EQ(lines.find("sequencing", lines.find('\n')), std::string::npos);
  EXPECT_EQ(save(thread, 1).join(), lines.substr(lines.find('\n') + 1));
  for (const bool strict : {false, true}) {
    Thread loaded = judge.thread(strict);
    ASSERT_TRUE(loadSaved(loaded, lines));
    EXPECT_FALSE(loaded.requestTarget().strict);
    expectSame(loaded, thread);
  }
  thread.setStrict(true);
  EXPECT_EQ(saved(thread).find("sequencing"), std::string::npos);
  for (const bool strict : {false, true}) {
    Thread loaded = judge.thread(strict);
    ASSERT_TRUE(loadSaved(loaded, saved(thread)));
    EXPECT_TRUE(loaded.requestTarget().strict);
  }
}

TEST(Saved, LoadsRandomThreadsUnchanged) {
  const Judge judge;
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Thread thread = judge.thread();
    for (const std::string& each : test::RandomHistory(seed, true).contents(20)) {
      append(thread, each);
    }
    Thread loaded = judge.thread();
    ASSERT_TRUE(loadSaved(loaded, saved(thread)));
    expectSame(loaded, thread);
  }
}

TEST(Saved, AcceptsBlankLinesAndCarriageReturns) {
  const Judge judge;
  Thread thread = judge.thread();
  const std::string line = R"({"strata":1,"content":)" + user("a") + "}";
  ASSERT_TRUE(loadSaved(thread, "\r\n" + line + "\r\n\n  \n" + line));
  EXPECT_EQ(thread.size(), 2U);
  EXPECT_EQ(thread.content(1), user("a"));
}

// Returns the path, "/<line>…", and the byte offset of the load error.
std::string errorOf(const std::string& text) {
  const Judge judge;
  Thread thread = judge.thread();
  const Status status = loadSaved(thread, text);
  if (status) return "none";
  return status.error().path + " " + std::to_string(status.error().offset);
}

TEST(Saved, ReportsTheLineOfAnError) {
  const std::string line = R"({"strata":1,"content":)" + user("a") + "}\n";
  const std::string length = std::to_string(line.size());
  EXPECT_EQ(errorOf(line + "x"), "/1 " + length);
  EXPECT_EQ(errorOf(line + "{}"), "/1 " + length);
  EXPECT_EQ(errorOf(line + R"({"strata":2,"content":{}})"), "/1 " + length);
  EXPECT_EQ(errorOf(line + R"({"strata":1})"), "/1 " + length);
  EXPECT_EQ(errorOf(line + R"({"strata":1,"contentText":"{"})"),
            "/1 " + std::to_string(line.size() + 1));
  EXPECT_EQ(errorOf(R"({"strata":1,"content":{)"
                    "\n" +
                    line),
            "/0/content 23");
}

TEST(Saved, IsRecognizedByItsFirstLine) {
  const std::string line = R"({"strata":1,"content":)" + user("a") + "}\n";
  EXPECT_TRUE(isSaved(line));
  EXPECT_TRUE(isSaved("\n " + line));
  EXPECT_TRUE(isSaved(R"({ "strata" : 1, "content":{}})"));
  EXPECT_TRUE(isSaved(R"({"strata":)"));
  EXPECT_FALSE(isSaved("[" + user("a") + "]"));
  EXPECT_FALSE(isSaved(R"({"contents":[]})"));
  EXPECT_FALSE(isSaved(""));
}

// Loads `text` and returns its records, such as "0 started" and "1 {…}", or the error's path.
std::vector<std::string> recordsOf(const std::string& text) {
  const Judge judge;
  Thread thread = judge.thread();
  std::vector<CallRecord> records;
  const Status status = loadSaved(thread, text, &records);
  if (!status) return {status.error().path + " " + std::to_string(status.error().offset)};
  std::vector<std::string> lines;
  for (const CallRecord& each : records) {
    const std::string what = each.result.empty() ? "started" : each.result;
    lines.push_back(std::to_string(each.index) + " " + what);
  }
  return lines;
}

TEST(SavedRecords, AreReadAfterTheLastTurnOnly) {
  const std::string turn = R"({"strata":1,"content":)" + user("a") + "}\n";
  const std::string started = recordLine({0, ""}) + "\n";
  const std::string result = recordLine({1, R"({"output": [1.0]})"}) + "\n";
  using Lines = std::vector<std::string>;
  EXPECT_EQ(started, "{\"strata\":1,\"kind\":\"started\",\"index\":0}\n");
  EXPECT_EQ(result,
            "{\"strata\":1,\"kind\":\"result\",\"index\":1,\"result\":{\"output\": [1.0]}}\n");
  EXPECT_EQ(recordsOf(turn + started + result), (Lines{"0 started", R"(1 {"output": [1.0]})"}));
  EXPECT_EQ(recordsOf(turn + started + turn), Lines{});
  EXPECT_EQ(recordsOf(turn + started + turn + result), Lines{R"(1 {"output": [1.0]})"});
  EXPECT_EQ(recordsOf(""), Lines{});
  // A damaged record counts only if it is read.
  const std::string damaged = R"({"strata":1,"kind":"result","index":1,"resu)"
                              "\n";
  EXPECT_EQ(recordsOf(turn + damaged + turn), Lines{});
  EXPECT_EQ(recordsOf(turn + damaged).front().substr(0, 2), "/1");
  const std::string place = "/1 " + std::to_string(turn.size());
  EXPECT_EQ(recordsOf(turn + R"({"strata":1,"kind":"started"})"), Lines{place});
  EXPECT_EQ(recordsOf(turn + R"({"strata":1,"kind":"started","index":-1})"), Lines{place});
  EXPECT_EQ(recordsOf(turn + R"({"strata":1,"kind":"result","index":1})"), Lines{place});
}

TEST(SavedNotes, AreSkippedWhereverTheyStand) {
  const std::string turn = R"({"strata":1,"content":)" + user("a") + "}\n";
  const std::string note = "{\"strata\":1,\"kind\":\"note\",\"name\":\"removed\",\"value\":[]}\n";
  const std::string started = recordLine({0, ""}) + "\n";
  EXPECT_EQ(recordsOf(note + turn + note + started + note), std::vector<std::string>{"0 started"});
  EXPECT_TRUE(isSaved(note + turn));
}

TEST(SavedRecords, AreOneLineEach) {
  EXPECT_EQ(recordLine({2, "{\n\"error\":\"x\"}"}),
            R"({"strata":1,"kind":"result","index":2,"result":{ "error":"x"}})");
}

TEST(Saved, TellsTheManifestOfTheLastAnswer) {
  const Judge judge;
  Thread thread = judge.thread();
  EXPECT_EQ(lastMeta(thread, "manifest"), "");
  append(thread, user("a"), test::Policy::kWarn, R"({"manifest":{"of":"no answer"}})");
  EXPECT_EQ(lastMeta(thread, "manifest"), "");
  append(thread, model("b"), test::Policy::kWarn, R"({"manifest":{"v": 1.0}})");
  append(thread, user("c"));
  EXPECT_EQ(lastMeta(thread, "manifest"), R"({"v": 1.0})");
  Thread loaded = judge.thread();
  ASSERT_TRUE(loadSaved(loaded, saved(thread)));
  EXPECT_EQ(lastMeta(loaded, "manifest"), R"({"v": 1.0})");
  append(thread, model("d"));
  EXPECT_EQ(lastMeta(thread, "manifest"), "");
}

}  // namespace
}  // namespace strata::thread
